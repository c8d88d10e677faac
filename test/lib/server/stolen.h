/* Processor time taken from this virtual machine by others: measurements during which this happens do not count. */
#ifndef KITH_TEST_LIB_SERVER_STOLEN_H
#define KITH_TEST_LIB_SERVER_STOLEN_H

/* Time since start during which others ran while we were runnable, on all processors, in the kernel's ticks
 * (proc(5), /proc/stat: the eighth number of the first line); 0 where it is not available. */
long stolen_ticks(void);

#endif
