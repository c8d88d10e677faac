/* Days of the Gregorian calendar. */
#include "server/base/civil.h"

int64_t civil_floor(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

bool civil_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int civil_month_length(int year, int month)
{
	static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	return month == 2 && civil_leap(year) ? 29 : lengths[month - 1];
}

/* Years begin in March here, so that a leap day is the last day of a year. An offset of 400 years keeps all numbers
 * positive. */
int32_t civil_days(int year, int month, int day)
{
	int y = (month <= 2 ? year - 1 : year) + 400, era = y / 400, year_of_era = y % 400;
	int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return (era - 1) * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

void civil_from_days(int32_t days, int *year, int *month, int *day)
{
	int z = days + 719468 + 146097, era = z / 146097, day_of_era = z % 146097;
	int year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int shifted = (5 * day_of_year + 2) / 153;

	*day = day_of_year - (153 * shifted + 2) / 5 + 1;
	*month = shifted < 10 ? shifted + 3 : shifted - 9;
	*year = year_of_era + (era - 1) * 400 + (*month <= 2);
}

int civil_weekday(int32_t days)
{
	return (int)(((int64_t)days + 3 + INT64_C(7) * 1000000) % 7);
}

int32_t civil_add_months(int32_t days, int64_t months)
{
	int year, month, day, length;
	int64_t total;

	civil_from_days(days, &year, &month, &day);
	total = (int64_t)year * 12 + month - 1 + months;
	year = (int)civil_floor(total, 12);
	month = (int)(total - (int64_t)year * 12) + 1;
	length = civil_month_length(year, month);
	return civil_days(year, month, day < length ? day : length);
}
