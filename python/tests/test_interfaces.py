"""The interfaces of others, held against the tests that they come with."""

import numpy as np
import pytest

import flux
from conftest import SAMPLES

gymnasium = pytest.importorskip("gymnasium", reason="pip install './python[learning]'")
pettingzoo = pytest.importorskip("pettingzoo", reason="pip install './python[learning]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test  # noqa: E402

from flux.gymnasium import GameEnv  # noqa: E402
from flux.pettingzoo import AECGame, ParallelGame  # noqa: E402

SEVERAL = ["tic_tac_toe", "connect_four", "nim", "roshambo", "joint_tic_tac_toe"]


@pytest.mark.parametrize("name", ["hanoi", "blocks_world", "incredible"])
def test_gymnasium_accepts_games_of_one_role(name):
    check_env(GameEnv(SAMPLES / f"{name}.gdl"), skip_render_check=True)


def test_an_episode_is_worth_its_goal():
    env = GameEnv(SAMPLES / "hanoi.gdl")
    _, info = env.reset(seed=1)
    plan = env.game.solve().moves
    for mv in plan:
        action = env.action_names.index(mv)
        assert info["action_mask"][action] == 1
        _, reward, terminated, truncated, info = env.step(action)
    assert terminated and not truncated and reward == 1.0


def test_what_is_not_legal_ends_an_episode():
    env = GameEnv(SAMPLES / "blocks_world.gdl")
    _, info = env.reset()
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated, info["is_legal"]) == (0.0, True, False, False)


def test_gymnasium_is_for_one_role():
    with pytest.raises(flux.UnsuitableError, match="has 2"):
        GameEnv(SAMPLES / "tic_tac_toe.gdl")


@pytest.mark.parametrize("name", SEVERAL)
def test_pettingzoo_accepts_games_one_role_at_a_time(name):
    api_test(AECGame(SAMPLES / f"{name}.gdl"), num_cycles=60)


@pytest.mark.parametrize("name", SEVERAL)
def test_pettingzoo_accepts_games_of_all_at_once(name):
    parallel_api_test(ParallelGame(SAMPLES / f"{name}.gdl"), num_cycles=60)
