/* Programs of other people that use the address book of RIG()'s Ada, with a password that may delete. */
#ifndef KITH_TEST_LIB_SERVER_JUDGE_H
#define KITH_TEST_LIB_SERVER_JUDGE_H

/* Runs a script of test/dav, with a word for it or NULL; returns the exit code, -1 when it was killed. */
int judge_run(const char *script, const char *word);

/* The same for a script of test/web. */
int judge_run_node(const char *script);

#endif
