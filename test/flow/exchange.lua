-- For test_systemd.c: every other request is a write. Ends with the number of writes that were answered.
local turn = 0

function setup(thread)
	writer = thread
end

function init()
	created = 0
	wrk.headers["Authorization"] = "Bearer " .. os.getenv("EXCHANGE_KEY")
	wrk.headers["Content-Type"] = "application/json"
end

function request()
	turn = turn + 1
	if turn % 2 == 0 then
		return wrk.format("GET", "/v1/people?limit=2")
	end
	return wrk.format("POST", "/v1/people", nil, string.format('{"firstName":"Person %d"}', turn))
end

function response(status, headers, body)
	if body:find('^{"data":{"id":') then
		created = created + 1
	end
end

function done()
	print("created: " .. writer:get("created"))
end
