/* What others had of this virtual machine's processors: a measurement during which they did is not ours. */
#ifndef KITH_TEST_STOLEN_H
#define KITH_TEST_STOLEN_H

/* The time since the machine's start in which others ran while we wanted to, of all processors, in the kernel's ticks
 * (proc(5), /proc/stat: the eighth number of the first line); 0 where none is told. */
long stolen_ticks(void);

#endif
