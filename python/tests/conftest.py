"""What all tests are given."""

import pytest
from shapes import random_poses, torus


@pytest.fixture(scope="session")
def mesh():
    return torus()


@pytest.fixture(scope="session")
def poses():
    return random_poses(150, 7, 1.8)
