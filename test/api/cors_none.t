# Without cors_origins there is not one header of it.

== nothing
OPTIONS /v1/people
Origin: https://app.example.com
Access-Control-Request-Method: GET
-- 204
Allow: GET, HEAD, POST, OPTIONS
!Access-Control-Allow-Origin
!Access-Control-Allow-Methods
!Access-Control-Allow-Headers
!Access-Control-Max-Age
!Vary
GET /v1/users/me (Origin: https://app.example.com) -- 200
!Access-Control-Allow-Origin
!Access-Control-Expose-Headers
!Vary
