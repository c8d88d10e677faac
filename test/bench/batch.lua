-- Writes of one or many records. Environment:
--   BENCH_KEY      API key
--   BENCH_METHOD, BENCH_TARGETS   method, and a file of "target<tab>body" lines, requested in turn; "@" in a body
--                  is replaced by the number of the request, so that each changes something
-- Ends as load.lua does.

local lines, turn = {}, 0

function init()
	wrk.headers["Authorization"] = "Bearer " .. (os.getenv("BENCH_KEY") or "")
	wrk.headers["Host"] = "localhost"
	wrk.headers["Content-Type"] = "application/json"
	for line in io.lines(os.getenv("BENCH_TARGETS")) do
		local target, body = line:match("^([^\t]*)\t(.*)$")
		lines[#lines + 1] = {target, body}
	end
end

function request()
	turn = turn + 1
	local line = lines[(turn - 1) % #lines + 1]
	return wrk.format(os.getenv("BENCH_METHOD"), line[1], nil, (line[2]:gsub("@", turn)))
end

function done(summary, latency)
	local e = summary.errors
	print(string.format("result %.1f %d %d %d", summary.requests / (summary.duration / 1e6), latency:percentile(50),
		latency:percentile(99), e.status + e.connect + e.read + e.write + e.timeout))
end
