"""Vectorised environments, against states one at a time."""

import numpy as np
import pytest

import flux


def shown(env, state):
    """The observation of a state."""
    holds = set(state.fluents)
    return [name in holds for name in env.observation_names]


def follow(env, states, actions):
    """The states after the actions, one at a time."""
    roles = env.roles
    after = []
    for index, state in enumerate(states):
        given = np.atleast_1d(actions[index])
        legal = state.legal()
        if env.simultaneous:
            joint = {role: env.action_names[given[place]] for place, role in enumerate(roles)}
        else:
            player = roles[env_player(env, state)]
            joint = {role: legal[role][0] for role in roles}
            joint[player] = env.action_names[given[0]]
        after.append(state.apply(joint))
    return after


def env_player(env, state):
    """The role in control by what it does: several moves, or something else than what it does while others choose."""
    counts = [len(state.legal(role)) for role in env.roles]
    if max(counts) > 1:
        return counts.index(max(counts))
    acting = [place for place, role in enumerate(env.roles) if state.legal(role) != ["noop"]]
    return acting[0] if acting else 0


@pytest.mark.parametrize(
    "name",
    ["tic_tac_toe", "connect_four", "roshambo", "nim", "hanoi", "joint_tic_tac_toe", "step_counter"],
)
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_arrays_say_what_states_say(sample, name, autoreset):
    game = sample(name)
    # More than a block of lanes, and no multiple of anything; a few of them are followed.
    env = flux.make(game, num_envs=577, autoreset=autoreset, seed=3, final_observations=True)
    watched = [0, 1, 63, 64, 511, 512, 576]
    observations, info = env.reset()
    states = {index: game.initial for index in watched}
    over = dict.fromkeys(watched, False)
    for _ in range(60):
        for index in watched:
            state, mask = states[index], info["legal_action_mask"][index]
            assert env.state(index) == state
            assert observations[index].tolist() == shown(env, state)
            if state.terminal:
                assert not mask.any()
                continue
            if env.simultaneous:
                for place, role in enumerate(env.roles):
                    named = {env.action_names[action] for action in np.flatnonzero(mask[place])}
                    assert named == set(state.legal(role))
            else:
                player = info["current_player"][index]
                assert player == env_player(env, state)
                named = {env.action_names[action] for action in np.flatnonzero(mask)}
                assert named == set(state.legal(env.roles[player]))
        actions = env.sample()
        observations, rewards, terminated, truncated, info = env.step(actions)
        assert not truncated.any()
        for index in watched:
            if over[index]:
                # The game before was over already.
                if autoreset == "next_step":
                    states[index], over[index] = game.initial, False
                    assert not terminated[index]
                else:
                    assert terminated[index]
                assert not rewards[index].any()
                continue
            (state,) = follow(env, [states[index]], [actions[index]])
            assert info["final_obs"][index].tolist() == shown(env, state)
            assert terminated[index] == state.terminal
            goals = [state.goals()[role] or 0 for role in env.roles]
            expected = goals if state.terminal else [0] * len(goals)
            assert np.allclose(rewards[index] * 100, expected)
            if state.terminal:
                over[index] = autoreset != "same_step"
                state = game.initial if autoreset == "same_step" else state
            states[index] = state


def test_the_same_seed_gives_the_same_games(sample):
    def play(seed):
        env = flux.make(sample("connect_four"), num_envs=100, seed=seed)
        env.reset()
        return [env.step(env.sample())[0].copy() for _ in range(20)]

    assert all(np.array_equal(one, other) for one, other in zip(play(5), play(5)))
    assert any(not np.array_equal(one, other) for one, other in zip(play(5), play(6)))


def test_samples_are_legal_and_uniform(sample):
    env = flux.make(sample("tic_tac_toe"), num_envs=9000, seed=1)
    env.reset()
    counts = np.bincount(env.sample(), minlength=10)
    assert counts[9] == 0 and (abs(counts[:9] - 1000) < 200).all()


def test_long_games_are_truncated(sample):
    env = flux.make(sample("hanoi"), num_envs=3, max_length=4, seed=2)
    start, _ = env.reset()
    for step in range(1, 9):
        observations, rewards, terminated, truncated, _ = env.step(env.sample())
        assert truncated.all() == (step % 4 == 0)
        assert not terminated.any() and not rewards.any()
        assert np.array_equal(observations, start) == (step % 4 == 0)


def test_actions_that_are_not_legal_change_nothing(sample):
    env = flux.make(sample("tic_tac_toe"), num_envs=1000, seed=1)
    env.reset()
    actions = env.sample()
    before = env.state(0)
    for bad in (9, 10, -1, 2**40):
        wrong = actions.astype(np.int64)
        wrong[700] = bad
        with pytest.raises(flux.MoveError, match="xplayer in environment 700"):
            env.step(wrong)
        assert env.state(0) == before
    env.step(actions)
    assert env.state(0) != before
    with pytest.raises(flux.MoveError, match=r"action \d, \(mark \d \d\), is not legal for oplayer"):
        env.step(actions)


def test_arrays_of_other_shapes_and_kinds_are_refused(sample):
    env = flux.make(sample("tic_tac_toe"), num_envs=10)
    env.reset()
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros(9, np.int32))
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros((10, 2), np.int32))
    with pytest.raises(TypeError, match="whole numbers"):
        env.step(np.zeros(10, np.float32))
    with pytest.raises(TypeError, match="whole numbers"):
        env.step(["(mark 1 1)"] * 10)
    with pytest.raises(IndexError):
        env.state(10)
    for number, error in [(0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)]:
        with pytest.raises(error):
            flux.make(sample("nim"), num_envs=number)
    with pytest.raises(flux.LimitError, match="memory"):
        flux.make(sample("nim"), num_envs=10**12)
    with pytest.raises(ValueError, match="turns"):
        flux.make(sample("nim"), turns="sometimes")
    with pytest.raises(ValueError, match="autoreset"):
        flux.make(sample("nim"), autoreset="maybe")


def test_any_kind_of_whole_numbers_will_do(sample):
    for dtype in (np.int8, np.uint8, np.int64, np.uint64):
        env = flux.make(sample("tic_tac_toe"), num_envs=4)
        env.reset()
        env.step(np.arange(4, dtype=dtype))
        env.step(np.arange(8, dtype=dtype)[1::2])


def test_one_action_is_not_enough_where_several_choose(sample):
    env = flux.make(sample("roshambo"), num_envs=5, turns="alternating")
    env.reset()
    with pytest.raises(flux.MoveError, match="simultaneous"):
        env.step(env.sample())
    assert flux.make(sample("roshambo")).simultaneous
    assert not flux.make(sample("hanoi")).simultaneous


def test_a_role_without_moves_is_told():
    game = flux.loads(
        "(role a) (init (n 1)) (<= (legal a go) (true (n 1))) (<= (next (n 2)) (true (n 1)))"
        "(<= terminal (true (n 3))) (<= (goal a 0) (true (n 3)))"
    )
    env = flux.make(game, num_envs=2)
    env.reset()
    env.step([0, 0])
    with pytest.raises(flux.MoveError, match="a has no legal move in environment 0"):
        env.step([0, 0])


def test_games_without_goals_have_no_rewards():
    game = flux.loads(
        "(role a) (init (n 1)) (<= (legal a go) (true (n 1))) (<= (next (n 2)) (true (n 1)))"
        "(<= terminal (true (n 2))) (<= (goal a 100) (true (n 3)))"
    )
    assert game.initial.goals() == {"a": None}
    env = flux.make(game, num_envs=2)
    env.reset()
    _, rewards, terminated, _, _ = env.step([0, 0])
    assert terminated.all() and np.isnan(rewards).all()
