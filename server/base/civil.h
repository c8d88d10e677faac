/* Arithmetic with days of the Gregorian calendar, counted from 1970-01-01. Years
 * from -400 on. */
#ifndef KITH_BASE_CIVIL_H
#define KITH_BASE_CIVIL_H

#include <stdbool.h>
#include <stdint.h>

int32_t civil_days(int year, int month, int day);
void civil_from_days(int32_t days, int *year, int *month, int *day);
int civil_month_length(int year, int month);
bool civil_leap(int year);

/* 0 is Monday. */
int civil_weekday(int32_t days);

/* The same day of the month, or the month's last when it is shorter, so many months on. */
int32_t civil_add_months(int32_t days, int64_t months);

/* Division that rounds down. */
int64_t civil_floor(int64_t a, int64_t b);

#endif
