#!/bin/sh
# Every mutant applies to the tree, so that test/mutants/run can still try it.
. "$(dirname "$0")/common"

for patch in test/mutants/*.patch; do
	git apply --check "$patch" 2>/dev/null || report "$(basename "$patch" .patch)" "$patch: does not apply"
done
verdict "Make the patch anew from the changed file."
