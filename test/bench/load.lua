-- The script of all wrk runs for reads and creates. Environment:
--   BENCH_KEY      API key
--   BENCH_TARGETS  file of targets, one per line, requested in turn; absent: the URL's own path
--   BENCH_ENCODING the Accept-Encoding; absent: none
--   BENCH_CREATE   "1": POST people to the URL's path; "keyed": each with an Idempotency-Key
-- Ends with one line: requests per second, p50 and p99 in microseconds, failures.

local ready, turn = {}, 0
local create = os.getenv("BENCH_CREATE")

function init()
	wrk.headers["Authorization"] = "Bearer " .. (os.getenv("BENCH_KEY") or "")
	wrk.headers["Host"] = "localhost"
	wrk.headers["Accept-Encoding"] = os.getenv("BENCH_ENCODING")
	local file = os.getenv("BENCH_TARGETS")
	if file then
		for target in io.lines(file) do
			ready[#ready + 1] = wrk.format("GET", target)
		end
	elseif not create then
		ready[1] = wrk.format("GET")
	else
		wrk.headers["Content-Type"] = "application/json"
		math.randomseed(os.time())
		run = string.format("%x-%x", os.time(), math.random(0, 2 ^ 30))
	end
end

function request()
	turn = turn + 1
	if not create then
		return ready[turn % #ready + 1]
	end
	if create == "keyed" then
		wrk.headers["Idempotency-Key"] = run .. "-" .. turn
	end
	return wrk.format("POST", nil, nil, string.format('{"firstName":"Bench","lastName":"Person %d",' ..
		'"jobTitle":"Engineer","emails":["bench%d@mail.example"],"phones":["+1555%07d"]}', turn, turn, turn))
end

function done(summary, latency)
	local e = summary.errors
	print(string.format("result %.1f %d %d %d", summary.requests / (summary.duration / 1e6), latency:percentile(50),
		latency:percentile(99), e.status + e.connect + e.read + e.write + e.timeout))
end
