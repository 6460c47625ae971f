/* A random game of Toscana for two, without Python: random_game KEY0 KEY1 prints the number of decisions and points. */
#include <stdio.h>
#include <stdlib.h>

#include "toscana.h"

int main(int count, char **words) {
    static uint8_t game[TOSCANA_RECORD_BYTES];
    static int64_t action;
    static int8_t mask[TOSCANA_ACTIONS], seat, decision, ended;
    static int16_t observation[TOSCANA_OBSERVATION], points[TOSCANA_SEATS], ranks[TOSCANA_SEATS];
    static float rewards[TOSCANA_SEATS];
    uint32_t key[] = {count > 1 ? strtoul(words[1], NULL, 10) : 0, count > 2 ? strtoul(words[2], NULL, 10) : 1};
    int64_t decisions = 0, what = VITIENV_START | VITIENV_OBSERVE;
    do {
        int64_t taken = toscana_run(1, what, 0, game, &action, key, TOSCANA_TOSCANA_2, mask, &seat, &decision,
                                    observation, rewards, &ended, points, ranks);
        if (taken < 0)
            return 1;
        decisions += taken;
        what = VITIENV_STEP | VITIENV_RANDOM | VITIENV_OBSERVE;
    } while (seat >= 0);
    printf("%lld", (long long)decisions);
    for (int i = 0; i < TOSCANA_SEATS; i++)
        printf(" %d", points[i]);
    printf("\n");
    return 0;
}
