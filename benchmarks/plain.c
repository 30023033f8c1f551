/* IDA* on 15-puzzles as a textbook has it, to compare with: no move is taken back at once, and that
   is all that it leaves out. h is the larger sum of two views of pattern databases, one of the board
   and one of its reflection. The goal has the blank in cell 0 and tile n in cell n.

   plain FILE OFFSET GROUP...    reads boards of 16 numbers, and prints for each the moves of a
   shortest solution and the boards expanded, then the seconds of processor time of all searches.

   OFFSET is where the tables begin in FILE. A GROUP is the tiles that it holds, such as 12,13,14.
   The table of up to SPREAD tiles is indexed by their cells as hexadecimal digits, that of more by
   the place of the cells among all arrangements in lexicographic order. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 16, SIDE = 4, SPREAD = 6, MAX_GROUPS = 4, VIEWS = 2, NONE = 255 };

typedef struct {
  int tiles;
  const uint8_t *table;
} Group;

static Group groups[MAX_GROUPS];
static int group_count;
static int group_of[VIEWS][CELLS];
static int shift_of[VIEWS][CELLS];       /* of the tile's cell among those of its group */
static int cell_of[VIEWS][CELLS];        /* the cell that the tables have for a cell of the board */
static int ways[CELLS], onward[CELLS][4];

static int board[CELLS];
static uint64_t cells_of[VIEWS][MAX_GROUPS]; /* of a group's tiles, 4 bits each */
static int says[VIEWS][MAX_GROUPS];
static int limit, following;
static long expanded;

static int look_up(const Group *group, uint64_t cells) {
  if (group->tiles <= SPREAD) return group->table[cells];
  uint64_t index = 0;
  unsigned taken = 0;
  for (int slot = 0; slot < group->tiles; slot++) {
    unsigned cell = cells >> 4 * (group->tiles - 1 - slot) & 15;
    int lower = __builtin_popcount(taken & ((1u << cell) - 1));
    index = index * (CELLS - slot) + cell - lower;
    taken |= 1u << cell;
  }
  return group->table[index];
}

/* Return whether the goal is reached within the limit. */
static int search(int g, int blank, int before, const int h[VIEWS]) {
  if (h[0] == 0) return 1;
  expanded++;
  for (int way = 0; way < ways[blank]; way++) {
    int cell = onward[blank][way];
    if (cell == before) continue;
    int tile = board[cell], f = 0;
    int next_h[VIEWS], value[VIEWS];
    uint64_t next_cells[VIEWS];
    for (int view = 0; view < VIEWS; view++) {
      int group = group_of[view][tile];
      int64_t step = cell_of[view][blank] - cell_of[view][cell];
      next_cells[view] = cells_of[view][group] + step * ((int64_t)1 << shift_of[view][tile]);
      value[view] = look_up(&groups[group], next_cells[view]);
      next_h[view] = h[view] - says[view][group] + value[view];
      f = g + 1 + next_h[view];
      if (f > limit) break;
    }
    if (f > limit) {
      if (f < following) following = f;
      continue;
    }
    uint64_t old_cells[VIEWS];
    int old_value[VIEWS];
    for (int view = 0; view < VIEWS; view++) {
      int group = group_of[view][tile];
      old_cells[view] = cells_of[view][group];
      old_value[view] = says[view][group];
      cells_of[view][group] = next_cells[view];
      says[view][group] = value[view];
    }
    board[blank] = tile;
    board[cell] = 0;
    int found = search(g + 1, cell, blank, next_h);
    board[blank] = 0;
    board[cell] = tile;
    for (int view = 0; view < VIEWS; view++) {
      int group = group_of[view][tile];
      cells_of[view][group] = old_cells[view];
      says[view][group] = old_value[view];
    }
    if (found) return 1;
  }
  return 0;
}

static int solve(void) {
  int h[VIEWS] = {0, 0}, blank = 0;
  memset(cells_of, 0, sizeof cells_of);
  for (int cell = 0; cell < CELLS; cell++) {
    if (board[cell] == 0) blank = cell;
    for (int view = 0; board[cell] && view < VIEWS; view++)
      cells_of[view][group_of[view][board[cell]]] +=
          (uint64_t)cell_of[view][cell] << shift_of[view][board[cell]];
  }
  for (int view = 0; view < VIEWS; view++)
    for (int group = 0; group < group_count; group++)
      h[view] += says[view][group] = look_up(&groups[group], cells_of[view][group]);
  expanded = 0;
  for (limit = h[0] > h[1] ? h[0] : h[1];; limit = following) {
    following = 1 << 30;
    if (search(0, blank, NONE, h)) return limit;
  }
}

static void set_up(const uint8_t *tables, char **names) {
  for (int cell = 0; cell < CELLS; cell++) {
    int row = cell / SIDE, col = cell % SIDE;
    cell_of[0][cell] = cell;
    cell_of[1][cell] = col * SIDE + row;
    if (row > 0) onward[cell][ways[cell]++] = cell - SIDE;
    if (row < SIDE - 1) onward[cell][ways[cell]++] = cell + SIDE;
    if (col > 0) onward[cell][ways[cell]++] = cell - 1;
    if (col < SIDE - 1) onward[cell][ways[cell]++] = cell + 1;
  }
  for (; names[group_count]; group_count++) {
    Group *group = &groups[group_count];
    int tiles[CELLS];
    for (char *tile = strtok(names[group_count], ","); tile; tile = strtok(NULL, ","))
      tiles[group->tiles++] = atoi(tile);
    uint64_t length = 1;
    for (int slot = 0; slot < group->tiles; slot++) {
      int shift = 4 * (group->tiles - 1 - slot);
      group_of[0][tiles[slot]] = group_of[1][cell_of[1][tiles[slot]]] = group_count;
      shift_of[0][tiles[slot]] = shift_of[1][cell_of[1][tiles[slot]]] = shift;
      length *= group->tiles <= SPREAD ? CELLS : CELLS - slot;
    }
    group->table = tables;
    tables += length;
  }
}

int main(int argc, char **argv) {
  FILE *file = argc > 3 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 2;
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file) - atol(argv[2]);
  uint8_t *tables = malloc(bytes);
  fseek(file, atol(argv[2]), SEEK_SET);
  if (!tables || fread(tables, 1, bytes, file) != (size_t)bytes) return 2;
  set_up(tables, argv + 3);
  clock_t spent = 0;
  for (;;) {
    for (int cell = 0; cell < CELLS; cell++)
      if (scanf("%d", &board[cell]) != 1) {
        printf("%f\n", (double)spent / CLOCKS_PER_SEC);
        return 0;
      }
    clock_t started = clock();
    int moves = solve();
    spent += clock() - started;
    printf("%d %ld\n", moves, expanded);
  }
}
