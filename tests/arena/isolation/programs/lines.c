/* A program that speaks hansu's lines: it plays the first legal move, or does what it was told. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile unsigned long spinning;

static void *spin(void *nothing)
{
    for (;;)
        spinning++;
    return nothing;
}

static void burn(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
}

static void misbehave(const char *habit)
{
    if (!strcmp(habit, "fork")) {
        for (;;)
            if (fork() < 0) {
                perror("fork");
                exit(1);
            }
    } else if (!strcmp(habit, "long line")) {
        for (;;)
            putchar('x');
    } else if (!strcmp(habit, "flood")) {
        for (;;)
            puts("");
    } else if (!strcmp(habit, "no newline")) {
        printf("1");
        fflush(stdout);
        pause();
    } else if (!strcmp(habit, "silence")) {
        sleep(1000);
    } else if (!strcmp(habit, "loop")) {
        for (;;)
            spinning++;
    } else if (!strcmp(habit, "garbage")) {
        fwrite("\xff\xfe\x00\x80\n", 1, 5, stdout);
    } else if (!strcmp(habit, "die")) {
        fprintf(stderr, "as intended\n");
        exit(3);
    } else if (!strcmp(habit, "segfault")) {
        raise(SIGSEGV);
    } else if (!strcmp(habit, "close")) {
        close(1);
        sleep(1000);
    } else if (!strcmp(habit, "deaf")) {
        close(0);
        sleep(1000);
    } else if (!strcmp(habit, "socket")) {
        socket(AF_INET, SOCK_STREAM, 0);
    } else if (!strcmp(habit, "kill")) {
        kill(-1, SIGKILL);
    } else if (!strcmp(habit, "stderr")) {
        for (;;)
            fputs("0123456789012345678901234567890123456789\n", stderr);
    } else if (!strcmp(habit, "memory")) {
        for (;;)
            memset(malloc(1 << 24), 1, 1 << 24);
    } else if (!strcmp(habit, "threads")) {
        for (int i = 0; i < 8; i++)
            burn();
        sleep(1000);
    }
}

int main(int count, char **arguments)
{
    static char line[1 << 16], first[64];
    const char *habit = count > 1 ? arguments[1] : "";
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "quit", 4))
            break;
        if (!strncmp(line, "hansu ", 6) || !strncmp(line, "new ", 4))
            puts("ready");
        else if (!strncmp(line, "legal ", 6))
            sscanf(line, "legal %63s", first);
        else if (!strncmp(line, "go ", 3)) {
            misbehave(habit);
            if (!strcmp(habit, "think later")) {
                burn();
                habit = "";
            }
            puts(first);
            if (!strcmp(habit, "two answers"))
                puts(first);
        }
        fflush(stdout);
    }
    return 0;
}
