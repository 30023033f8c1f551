"""The frontiers of the plain searches. Each has `nodes`, `add` and `take`."""

import heapq
from collections import deque
from itertools import count


class Fifo:
    """A queue: the oldest first."""

    def __init__(self):
        self.nodes = deque()

    def add(self, children):
        self.nodes.extend(children)

    def take(self):
        return self.nodes.popleft()


class Stack:
    """A stack to which the children are pushed in order, or with the first on top."""

    def __init__(self, first_on_top):
        self.nodes = []
        self.first_on_top = first_on_top

    def add(self, children):
        self.nodes += reversed(children) if self.first_on_top else children

    def take(self):
        return self.nodes.pop()


class Counting:
    """heapq with counted entries. The count, or its negative, breaks ties after `tie`."""

    def __init__(self, sign=1, tie=lambda node: 0):
        self.nodes = []
        self.numbers = count()
        self.sign, self.tie = sign, tie

    def add(self, children):
        for node in children:
            entry = node.f, self.tie(node), self.sign * next(self.numbers), node
            heapq.heappush(self.nodes, entry)

    def take(self):
        return heapq.heappop(self.nodes)[-1]


class ByF:
    """An entry that compares by f alone."""

    def __init__(self, node):
        self.node = node

    def __lt__(self, other):
        return self.node.f < other.node.f


class PlainHeapq:
    """heapq of entries that compare by f alone."""

    def __init__(self):
        self.nodes = []

    def add(self, children):
        for node in children:
            heapq.heappush(self.nodes, ByF(node))

    def take(self):
        return heapq.heappop(self.nodes).node


class MinPQ:
    """A binary heap as in lectures: an array from 1 on, exchange, swim and sink."""

    def __init__(self):
        self.pq = [None]

    @property
    def nodes(self):
        return self.pq[1:]

    def greater(self, i, j):
        return self.pq[i].f > self.pq[j].f

    def exchange(self, i, j):
        self.pq[i], self.pq[j] = self.pq[j], self.pq[i]

    def add(self, children):
        for node in children:
            self.pq.append(node)
            k = len(self.pq) - 1
            while k > 1 and self.greater(k // 2, k):
                self.exchange(k // 2, k)
                k //= 2

    def take(self):
        self.exchange(1, len(self.pq) - 1)
        least = self.pq.pop()
        k = 1
        while 2 * k < len(self.pq):
            j = 2 * k
            if j + 1 < len(self.pq) and self.greater(j, j + 1):
                j += 1
            if not self.greater(k, j):
                break
            self.exchange(k, j)
            k = j
        return least


class SortedList:
    """A list that is sorted before each node is taken. A node can be removed from it."""

    def __init__(self):
        self.nodes = []

    def add(self, children):
        self.nodes += children

    def take(self):
        self.nodes.sort(key=lambda node: node.f)
        return self.nodes.pop(0)
