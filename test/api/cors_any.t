# Pages of any origin: cors_origins=*.
@server cors_origins=*

== the answer is the same for all of them
@none OPTIONS /v1/people
Origin: https://anything.example
Access-Control-Request-Method: POST
-- 204
Access-Control-Allow-Origin: *
Access-Control-Allow-Methods: GET, HEAD, POST, OPTIONS
!Access-Control-Allow-Credentials
!Vary
GET /v1/users/me -- 200
Access-Control-Allow-Origin: *
Access-Control-Expose-Headers: <has ETag>
!Vary
GET /v1/events/stream?wait=0 (Origin: null) -- 200 (Access-Control-Allow-Origin: *)
