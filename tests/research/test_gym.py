"""The Gymnasium environment: Gymnasium's own checker, distances, masks and difficulty."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import slidewise.gym
from slidewise import PuzzleError, parse_puzzle, solve, standard_goal
from tests.each import each
from tests.solver import oracle


@pytest.fixture
def make():
    """Return a function that makes environments without wrappers; close them at the end."""
    environments = []

    def make(**options):
        environments.append(slidewise.gym.SlidingPuzzleEnv(**options))
        return environments[-1]

    yield make
    for env in environments:
        env.close()


@each(
    "options",
    [
        {},
        {"rows": 2, "cols": 2, "reward": "distance", "render_mode": "ansi"},
        {"rows": 2, "cols": 3, "goal": "0.1.2-3.4.5", "distance": 4},
        {"rows": 3, "cols": 4, "distance": (3, 9)},
        {"rows": 10, "cols": 10},
        {"rows": 4, "cols": 4, "distances": False, "render_mode": "ansi"},
    ],
)
def test_environment_passes_the_checker_of_gymnasium(options):
    env = gymnasium.make("Slidewise-v0", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=options.get("render_mode") is None)
    board, info = env.reset(seed=5)
    assert env.observation_space.contains(board)
    assert (info["distance"] is None) == (env.unwrapped._knows is False)
    env.close()


def test_name_with_its_module_needs_no_import():
    env = gymnasium.make("slidewise.gym:Slidewise-v0", max_episode_steps=2)
    env.reset(seed=1, options={"distance": 9})
    assert [env.step(0)[3], env.step(0)[3]] == [False, True]
    env.close()


def test_distance_and_regret_are_exact(make):
    env = make(rows=2, cols=3, reward="distance")
    distances = oracle.distances(standard_goal(2, 3).cells, 2, 3)
    board, info = env.reset(seed=3)
    first = info["distance"]
    before, total = first, 0.0
    env.action_space.seed(3)
    for moves in range(1, 40):
        action = env.action_space.sample(mask=info["action_mask"])
        board, reward, ended, _, info = env.step(action)
        now = distances[tuple(board.ravel().tolist())]
        total += reward
        assert info["distance"] == now
        assert reward == before - now
        assert info["regret"] == moves + now - first
        assert total == first - now
        assert ended == (now == 0)
        before = now
        if ended:
            break
    assert moves > 5


def test_masks_are_the_legal_actions_and_others_cost_a_move(make):
    for reward in ("moves", "distance"):
        env = make(reward=reward)
        board, info = env.reset(seed=4)
        for action, legal in enumerate(env.action_masks()):
            env.reset(options={"puzzle": info["puzzle"]})
            after, gained, *_, later = env.step(action)
            assert (after.tolist() != board.tolist()) == legal == info["action_mask"][action]
            assert later["moves"] == legal
            if not legal or reward == "moves":
                assert gained == -1


def test_shortest_solution_ends_the_episode_without_regret(make):
    env = make(rows=3, cols=4, distance=14)
    _, info = env.reset(seed=2)
    result = solve(parse_puzzle(info["puzzle"]))
    assert info["distance"] == result.length == 14
    for move in result.moves:
        _, reward, ended, _, info = env.step("UDLR".index(move))
        assert (reward, info["regret"]) == (-1, 0)
    assert ended


def test_seeds_repeat_and_difficulty_persists(make):
    env = make(rows=3, cols=3, distance=(10, 12))
    seen = [env.reset(seed=seed)[1] for seed in (1, 2, 1)]
    assert seen[0]["puzzle"] == seen[2]["puzzle"] != seen[1]["puzzle"]
    for _ in range(20):
        assert 10 <= env.reset()[1]["distance"] <= 12
    assert env.reset(options={"distance": 31})[1]["distance"] == 31


def test_render_shows_the_board(make):
    env = make(rows=2, cols=2, render_mode="ansi")
    env.reset(options={"puzzle": "1.0-3.2"})
    assert env.render() == parse_puzzle("1.0-3.2").start.boxed()
    assert np.array_equal(env.step(0)[0], [[1, 2], [3, 0]])


@each(
    "options",
    [
        {"rows": 1},
        {"rows": 5, "cols": 5, "distance": 5},
        {"rows": 5, "cols": 5, "reward": "distance"},
        {"reward": "speed"},
        {"render_mode": "human"},
        {"goal": "1.2-3.0"},
        {"distance": "far"},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(PuzzleError):
        slidewise.gym.SlidingPuzzleEnv(**options)


@each(
    "options",
    [
        {"moves": 3},
        {"distance": 99},
        {"distance": (7, 3)},
        {"puzzle": "1.2-3.0"},
        {"puzzle": "1.2.3-4.5.6-7.8.0"},
        {"puzzle": "2.1.3-4.5.6-7.8.0"},
        {"puzzle": "1.2.3-4.5.6-7.0.8", "distance": 1},
        {"puzzle": "1.2.3-4.5.6-7.0.8_0.1.2-3.4.5-6.7.8"},
    ],
)
def test_wrong_reset_options_are_refused(make, options):
    with pytest.raises(PuzzleError):
        make().reset(options=options)
