"""The scenario of the benchmarks in SimPy: python3 peer_simpy.py CLIENTS SECONDS SEED

Prints attempts, successes, 503s, timeouts, calls given up and nanoseconds of CPU per attempt.
"""

import random
import sys
import time

import simpy

WAY, TIMEOUT, WORKERS, BIN = 0.0005, 1.0, 100, 0.1


class Shop:
    def __init__(self, env, clients, horizon, seed):
        self.env, self.random = env, random.Random(seed)
        self.mean_work = WORKERS / (1.25 * clients)
        self.places = clients
        self.down, self.up = horizon / 4, horizon / 4 + horizon / 8
        self.ramp = horizon / 12
        self.workers = simpy.Resource(env, capacity=WORKERS)
        self.attempts = self.ok = self.refused = self.timeouts = self.given_up = 0
        self.bins = [[0] * 7 for _ in range(int(horizon / BIN) + 2)]
        self.latencies = {}

    def count(self, column, by=1):
        self.bins[int(self.env.now / BIN)][column] += by

    def full(self):
        waiting = len(self.workers.queue)
        return self.workers.count == WORKERS and waiting >= self.places

    def work(self, reply):
        """An attempt that the service has taken in: it is served even if nobody waits."""
        env = self.env
        with self.workers.request() as worker:
            yield worker
            demand = self.random.expovariate(1 / self.mean_work)
            since = env.now - self.up
            if 0 <= since < self.ramp:
                demand *= 4 - 3 * since / self.ramp
            done = env.now + demand
            if env.now < self.down <= done:
                demand = self.up + 4 * (done - self.down) - env.now
            yield env.timeout(demand)
        self.bins[int(env.now / BIN)][5] = len(self.workers.queue)
        yield env.timeout(WAY)
        reply.succeed()

    def attempt(self):
        """The cost of a retry if it failed, otherwise 0."""
        env = self.env
        self.attempts += 1
        patience = env.timeout(TIMEOUT)
        yield env.timeout(WAY)
        self.count(0)
        if self.down <= env.now < self.up or self.full():
            self.refused += 1
            self.count(2)
            yield env.timeout(WAY)
            return 5
        reply = env.event()
        env.process(self.work(reply))
        yield reply | patience
        if reply.processed:
            return 0
        self.timeouts += 1
        self.count(3)
        return 10

    def client(self):
        env, tokens = self.env, 500
        while True:
            yield env.timeout(self.random.expovariate(1.0))
            began, cost = env.now, 1
            for number in range(1, 11):
                failure = yield from self.attempt()
                if failure == 0:
                    self.ok += 1
                    self.count(1)
                    self.count(6, min(500 - tokens, cost))
                    tokens = min(500, tokens + cost)
                    cell = round(16 * (env.now - began), 1)
                    self.latencies[cell] = self.latencies.get(cell, 0) + 1
                    break
                if number == 10 or tokens < failure:
                    self.given_up += 1
                    self.count(4)
                    break
                cost = failure
                tokens -= cost
                self.count(6, -cost)
                longest = min(20.0, 0.1 * 2 ** (number - 1))
                yield env.timeout(self.random.uniform(0, longest))


def main():
    clients, horizon, seed = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    began = time.thread_time_ns()
    env = simpy.Environment()
    shop = Shop(env, clients, horizon, seed)
    for _ in range(clients):
        env.process(shop.client())
    env.run(until=horizon)
    took = time.thread_time_ns() - began
    print(shop.attempts, shop.ok, shop.refused, shop.timeouts, shop.given_up, took / shop.attempts)


main()
