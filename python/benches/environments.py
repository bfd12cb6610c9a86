"""Steps a second, with legal actions and observations, of environments of several packages on one core.

    taskset -c 0 python python/benches/environments.py

Actions are legal ones at random. What choosing them costs is not counted for packages that step arrays: they are drawn
before each step, outside of the timed part. What is not installed is named and left out.
"""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import importlib
import random
import time
from pathlib import Path

import numpy as np

SECONDS = 3.0
GAMES = Path(__file__).parents[2] / "kb" / "games"
OWN = Path(__file__).parent


def of_flux(sheet):
    """Legal actions and observations of all environments come with each step."""
    import flux

    def run(number=4096):
        env = flux.make(sheet, num_envs=number)
        env.reset(seed=1)
        steps, spent = 0, 0.0
        while spent < SECONDS:
            actions = env.sample()
            start = time.perf_counter()
            env.step(actions)
            spent += time.perf_counter() - start
            steps += number
        return steps / spent

    return run


def of_pgx(name):
    """Compiled for the processor; a state has its mask and its observation. Games that end are begun anew."""

    def run(number=4096):
        import jax
        import jax.numpy as jnp
        import pgx
        from pgx.experimental.wrappers import auto_reset

        env = pgx.make(name)
        step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
        init = jax.jit(jax.vmap(env.init))
        draw = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1))
        key = jax.random.PRNGKey(1)
        state = init(jax.random.split(key, number))
        keys = jax.random.split(key, number)
        steps, spent = -number, 0.0
        while spent < SECONDS:
            key, own = jax.random.split(key)
            actions = draw(own, state.legal_action_mask).block_until_ready()
            start = time.perf_counter()
            state = step(state, actions, keys)
            state.observation.block_until_ready()
            state.legal_action_mask.block_until_ready()
            # The first step compiles.
            spent = spent + time.perf_counter() - start if steps >= 0 else 0.0
            steps += number
        return steps / spent

    return run


def of_open_spiel(name):
    """One game at a time in C++, asked from Python."""

    def run():
        import pyspiel

        game = pyspiel.load_game(name)
        choose = random.Random(1)
        state = game.new_initial_state()
        steps, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            if state.is_terminal():
                state.returns()
                state = game.new_initial_state()
            mask = state.legal_actions_mask()
            assert len(mask) and state.observation_tensor()
            state.apply_action(choose.choice(state.legal_actions()))
            steps += 1
        return steps / (time.perf_counter() - start)

    return run


def of_pettingzoo(module):
    """One game at a time in Python."""

    def run():
        env = importlib.import_module(f"pettingzoo.classic.{module}").env()
        env.reset(seed=1)
        choose = np.random.default_rng(1)
        steps, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(int(choose.choice(np.flatnonzero(observation["action_mask"]))))
            steps += 1
        return steps / (time.perf_counter() - start)

    return run


RUNS = [
    ("tic-tac-toe", "flux", of_flux(GAMES / "tic_tac_toe.gdl")),
    ("tic-tac-toe", "Pgx", of_pgx("tic_tac_toe")),
    ("tic-tac-toe", "OpenSpiel", of_open_spiel("tic_tac_toe")),
    ("tic-tac-toe", "PettingZoo", of_pettingzoo("tictactoe_v3")),
    ("connect four", "flux", of_flux(GAMES / "connect_four.gdl")),
    ("connect four", "Pgx", of_pgx("connect_four")),
    ("connect four", "OpenSpiel", of_open_spiel("connect_four")),
    ("connect four", "PettingZoo", of_pettingzoo("connect_four_v3")),
    ("reversi", "flux", of_flux(OWN / "reversi.gdl")),
    ("reversi", "Pgx", of_pgx("othello")),
    ("reversi", "OpenSpiel", of_open_spiel("othello")),
]


def main():
    for game, package, run in RUNS:
        try:
            print(f"{game:14} {package:12} {run():14,.0f} steps a second", flush=True)
        except ImportError as missing:
            print(f"{game:14} {package:12} not measured: {missing}", flush=True)


if __name__ == "__main__":
    main()
