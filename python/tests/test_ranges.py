"""What is out of its range is refused with the range and the value."""

import pytest

import nearhit as nh


@pytest.mark.parametrize("most", [3, -1, 2**70])
def test_corners_of_a_simplified_hull(most):
    with pytest.raises(ValueError, match=f"most must be from 4 to 4294967295, not {most}$"):
        nh.simplified(nh.Box(1, 2, 3), most)


def test_a_number_of_corners_is_whole():
    with pytest.raises(TypeError, match="most must be a whole number, not 4.5"):
        nh.simplified(nh.Box(1, 2, 3), 4.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tests": -1}, "tests must be from 0 to 9223372036854775807, not -1"),
        ({"samples": -1}, "samples must be from 0 to 4294967295, not -1"),
        ({"samples": 2**32}, "samples must be from 0 to 4294967295, not 4294967296"),
        ({"seed": -1}, "seed must be from 0 to 18446744073709551615, not -1"),
        ({"seconds": -1}, "seconds must be from 0 to 1e9, not -1"),
        ({"seconds": float("nan")}, "seconds must be from 0 to 1e9, not nan"),
        ({"seconds": 1e300}, "seconds must be from 0 to 1e9, not 1e.300"),
    ],
)
def test_options_of_a_collision_matrix(options, message):
    with pytest.raises(ValueError, match=message):
        nh.collision_matrix(nh.Robot.example(), **options)
