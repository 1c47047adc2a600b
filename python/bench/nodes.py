"""A Ray cluster of several nodes on this machine beside one process: the same answers, and what the way costs.

    python python/bench/nodes.py [--poses N] [--nodes 2 3 4]

Each node has one CPU; on a machine with fewer cores the nodes wait for each other.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import nearhit as nh
import nearhit.ray

sys.path.insert(0, str(Path(__file__).parent))
from points import torus  # noqa: E402


def one_process(ring, poses):
    began = time.perf_counter()
    found = nh.distance(ring, ring, poses_b=poses, threads=1)
    return found, time.perf_counter() - began


def on_nodes(count, ring, poses):
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(count - 1):
        cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    pool = nearhit.ray.connect(seconds=0.5)
    pool.distance(ring, ring, poses_b=(poses[0][:2000], poses[1][:2000]))  # Workers start.
    began = time.perf_counter()
    found = pool.distance(ring, ring, poses_b=poses)
    took = time.perf_counter() - began
    ray.shutdown()
    cluster.shutdown()
    return found, took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, nargs="+", default=[2, 3, 4])
    options = parser.parse_args()
    ring = nh.Model(torus(40))
    places = np.random.default_rng(1).uniform(-2.5, 2.5, (options.poses, 3))
    poses = np.tile(np.eye(3), (options.poses, 1, 1)), places
    alone, single = one_process(ring, poses)
    print(f"one process, one thread: {single:.2f} s")
    for count in options.nodes:
        found, took = on_nodes(count, ring, poses)
        print(f"{count} nodes: {took:.2f} s, {single / took:.2f} times as fast; {'the same answers' if found == alone else 'OTHER ANSWERS'}", flush=True)


if __name__ == "__main__":
    main()
