# kith as OAuth server: metadata, registration, consent, tokens, and every error of each endpoint.

== what clients read first
@none GET /.well-known/oauth-protected-resource -- 200
{"resource": "{{base}}", "authorization_servers": ["{{base}}"], "scopes_supported": ["read", "write"],
	"bearer_methods_supported": ["header"], "resource_name": "kith", "resource_documentation": "{{base}}/docs"}
@none GET /.well-known/oauth-protected-resource/mcp -- 200
{"resource": "{{base}}/mcp", "authorization_servers": ["{{base}}"], "scopes_supported": ["read", "write"],
	"bearer_methods_supported": ["header"], "resource_name": "kith for assistants", "resource_documentation": "{{base}}/docs"}
@none GET /.well-known/oauth-authorization-server -- 200
{"issuer": "{{base}}", "authorization_endpoint": "{{base}}/oauth/authorize", "token_endpoint": "{{base}}/oauth/token",
	"registration_endpoint": "{{base}}/oauth/register", "revocation_endpoint": "{{base}}/oauth/revoke",
	"response_types_supported": ["code"], "response_modes_supported": ["query"],
	"grant_types_supported": ["authorization_code", "refresh_token"],
	"token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
	"revocation_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
	"code_challenge_methods_supported": ["S256"],
	"scopes_supported": ["read", "write", "delete", "admin", "contacts", "calendar"],
	"authorization_response_iss_parameter_supported": true, "client_id_metadata_document_supported": true,
	"service_documentation": "{{base}}/docs"}

== without public_url, OAuth works on loopback hosts only
@each oauth-protected-resource oauth-protected-resource/mcp oauth-authorization-server
@none GET /.well-known/{{each}} (Host: crm.example.com) -- 404
@end
@none GET /oauth/authorize?client_id=x (Host: crm.example.com) -- 404
@none POST /oauth/token (Host: crm.example.com) {} -- 404
@none POST /oauth/register (Host: crm.example.com) {} -- 404
@none GET /v1/people (Host: crm.example.com) -- 401 (WWW-Authenticate: Bearer)

== a refusal tells where tokens are
@none GET /v1/people -- 401
WWW-Authenticate: Bearer resource_metadata="{{base}}/.well-known/oauth-protected-resource", scope="read write"
@none GET /v1/people (Authorization: Bearer kith_x) -- 401
WWW-Authenticate: Bearer resource_metadata="{{base}}/.well-known/oauth-protected-resource", error="invalid_token", scope="read write"
@none POST /mcp {} -- 401
WWW-Authenticate: Bearer resource_metadata="{{base}}/.well-known/oauth-protected-resource/mcp", scope="read write"
@readonly POST /v1/people {} -- 403 (!WWW-Authenticate)

== registration
@none POST /oauth/register {"client_name": "Helper", "redirect_uris": ["https://app.example/cb"], "token_endpoint_auth_method": "none", "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"], "client_uri": "https://app.example", "scope": "read", "logo_uri": "https://app.example/x.png"}
-- 201
Cache-Control: no-store
{"client_id": "<starts kith_client_>", "client_id_issued_at": "<int>", "client_name": "Helper", "client_uri": "https://app.example",
	"redirect_uris": ["https://app.example/cb"], "token_endpoint_auth_method": "none",
	"grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"]}
> client = client_id
@none POST /oauth/register {"redirect_uris": ["http://localhost/cb", "cursor://x/cb"]} -- 201
{"client_id": "<text>", "client_id_issued_at": "<int>", "client_secret": "<starts kith_secret_>", "client_secret_expires_at": 0,
	"client_name": "localhost", "redirect_uris": ["http://localhost/cb", "cursor://x/cb"],
	"token_endpoint_auth_method": "client_secret_basic",
	"grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"]}
> confidential = client_id
> secret = client_secret

== registrations that are refused
@rows body error
| []                                                                                        | invalid_client_metadata |
| {                                                                                         | invalid_client_metadata |
| {}                                                                                        | invalid_redirect_uri    |
| {"redirect_uris": []}                                                                     | invalid_redirect_uri    |
| {"redirect_uris": "https://a.example"}                                                    | invalid_redirect_uri    |
| {"redirect_uris": [1]}                                                                    | invalid_redirect_uri    |
| {"redirect_uris": ["http://app.example/cb"]}                                              | invalid_redirect_uri    |
| {"redirect_uris": ["https://app.example/#x"]}                                             | invalid_redirect_uri    |
| {"redirect_uris": ["javascript:alert(1)"]}                                                | invalid_redirect_uri    |
| {"redirect_uris": ["ms-msdt:/id"]}                                                        | invalid_redirect_uri    |
| {"redirect_uris": ["https://a.example/\u0000"]}                                           | invalid_redirect_uri    |
| {"redirect_uris": [<list "https://a.example/{n}" 11>]}                                    | invalid_redirect_uri    |
| {"redirect_uris": ["https://a.example"], "client_name": 1}                                | invalid_client_metadata |
| {"redirect_uris": ["https://a.example"], "client_name": "<repeat a 101>"}                 | invalid_client_metadata |
| {"redirect_uris": ["https://a.example"], "client_name": "a\nb"}                           | invalid_client_metadata |
| {"redirect_uris": ["https://a.example"], "token_endpoint_auth_method": "private_key_jwt"} | invalid_client_metadata |
| {"redirect_uris": ["https://a.example"], "grant_types": ["implicit"]}                     | invalid_client_metadata |
| {"redirect_uris": ["https://a.example"], "grant_types": ["refresh_token"]}                | invalid_client_metadata |
| {"redirect_uris": ["https://a.example"], "response_types": ["token"]}                     | invalid_client_metadata |
@none POST /oauth/register
{{body}}
-- 400
{"error": "{{error}}", "error_description": "<text>"}
@end
@none POST /oauth/register (Content-Type: text/plain) {"redirect_uris": ["https://a.example"]} -- 400
@none GET /oauth/register -- 405

== sign in
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{ada_key}}"} -- 200
> cookie = header Set-Cookie

== an unknown client or address is a page, never a redirect
@rows query
|                                                                                  |
| ?client_id=                                                                      |
| ?client_id=nobody&redirect_uri=https://evil.example                              |
| ?client_id={{client}}&redirect_uri=https://evil.example                          |
| ?client_id={{client}}&redirect_uri=https://app.example/cb/                       |
| ?client_id={{client}}&redirect_uri=https://app.example/cb%3Fx                    |
| ?client_id={{client}}&redirect_uri=https://app.example.evil.example/cb           |
| ?client_id={{client}}&client_id={{client}}&redirect_uri=https://app.example/cb   |
| ?client_id={{client}}&redirect_uri=https://app.example/cb&redirect_uri=https://a |
| ?client_id={{confidential}}                                                      |
| ?client_id=%ff                                                                   |
| ?client_id=a%00                                                                  |
| ?client_id={{client}}&redirect_uri=https://app.example/cb%00                     |
| ?client_id=<repeat a 1001>                                                       |
| ?client_id=<repeat a 5000>                                                       |
@none GET /oauth/authorize{{query}} (Cookie: {{cookie}}) -- 400
Content-Type: text/html; charset=utf-8
!Location
@none GET /oauth/authorize{{query}} -- 400 (!Location)
@end

== the rest is told to the client by a link, because the user has never connected it
@rows query error
| response_type=token&code_challenge_method=S256&code_challenge=<repeat a 43>&resource={{base}} | unsupported_response_type |
| code_challenge_method=S256&code_challenge=<repeat a 43>&resource={{base}}                     | invalid_request           |
| response_type=code&resource={{base}}                                                          | invalid_request           |
| response_type=code&resource={{base}}&code_challenge=<repeat a 43>                             | invalid_request           |
| response_type=code&resource={{base}}&code_challenge=<repeat a 43>&code_challenge_method=plain | invalid_request           |
| response_type=code&resource={{base}}&code_challenge=abc&code_challenge_method=S256            | invalid_request           |
| response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>                    | invalid_target            |
| response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>&resource={{base}}/v1 | invalid_target          |
| response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>&resource=https://evil.example | invalid_target |
| response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>&resource={{base}}&resource={{base}}/mcp | invalid_target |
| response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>&resource={{base}}&scope=everything | invalid_scope |
| response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>&resource={{base}}&scope=contacts | invalid_scope |
| response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>&resource={{base}}&response_mode=fragment | invalid_request |
| response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>&resource={{base}}&request=x | invalid_request |
| response_type=code&response_type=code&code_challenge_method=S256&code_challenge=<repeat A 43>&resource={{base}} | invalid_request |
@none GET /oauth/authorize?client_id={{client}}&state=a%20b&{{query}} (Cookie: {{cookie}}) -- 400
!Location
> rest = text href="https://app.example/cb?error={{error}}&amp;error_description=
@none GET /oauth/authorize?client_id={{client}}&state=a%20b&{{query}} -- 302
Location: <starts ../console#return=%2Foauth%2Fauthorize%3F>
@end

== the page, a page of another site, and the decision
@none GET /oauth/authorize?client_id={{client}}&redirect_uri=https://app.example/cb&response_type=code&state=s1&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&resource={{base}}/&scope=read%20offline_access
Cookie: {{cookie}}
-- 200
Content-Type: text/html; charset=utf-8
Content-Security-Policy: <ends base-uri 'none'; frame-ancestors 'none'; form-action 'self' https://app.example>
Referrer-Policy: same-origin
> form = text name="token" value="
@rows header
| Origin: null                   |
| Origin: https://app.example    |
| Sec-Fetch-Site: cross-site     |
@none POST /oauth/authorize?client_id={{client}}
Content-Type: application/x-www-form-urlencoded
Cookie: {{cookie}}
{{header}}
token={{form}}&decision=allow&may_read=1
-- 403
@end
@none POST /oauth/authorize?client_id={{client}}&redirect_uri=https://app.example/cb&response_type=code&state=s1&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&resource={{base}}/&scope=read%20offline_access
Content-Type: application/x-www-form-urlencoded
Cookie: {{cookie}}
Origin: {{base}}
token={{form}}x&decision=allow&may_read=1
-- 400
!Location
@none POST /oauth/authorize?client_id={{client}}&redirect_uri=https://app.example/cb&response_type=code&state=s1&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&resource={{base}}/&scope=read%20offline_access
Content-Type: application/x-www-form-urlencoded
Cookie: {{cookie}}
Origin: {{base}}
Sec-Fetch-Site: same-origin
token={{form}}&decision=allow&may_read=1&may_admin=1
-- 303
Location: <starts https://app.example/cb?code=kith_code_>
Cache-Control: no-store
> code = header Location code=
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
grant_type=authorization_code&code={{code}}&client_id={{client}}&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&redirect_uri=https://app.example/cb&resource={{base}}
-- 200
Cache-Control: no-store
{"access_token": "<starts kith_>", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "<starts kith_refresh_>", "scope": "read"}
> access = access_token
> refresh = refresh_token
# From now on an error goes to the application at once.
@none GET /oauth/authorize?client_id={{client}}&state=s2&response_type=token (Cookie: {{cookie}}) -- 302
Location: <starts https://app.example/cb?error=unsupported_response_type&error_description=>
@none GET /v1/people (Authorization: Bearer {{access}}) -- 200
@none POST /v1/people (Authorization: Bearer {{access}}) {} -- 403
WWW-Authenticate: Bearer resource_metadata="{{base}}/.well-known/oauth-protected-resource", error="insufficient_scope", scope="read write"
GET /v1/grants -- 200
{"data": {"items": [{"id": "<gnt>", "name": "Helper", "clientId": "{{client}}", "host": "app.example", "user": {{ada}},
	"audience": null, "scopes": ["read"], "groups": null, "createdAt": "<time>", "expiresAt": "<time>", "lastUsedAt": "<any>"}],
	"pagination": {}}}
> grant = data.items.0.id
@bob GET /v1/grants -- 200 {"data": {"items": [], "pagination": {}}}
@bob DELETE /v1/grants/{{grant}} -- 404
@other DELETE /v1/grants/{{grant}} -- 404
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
grant_type=refresh_token&refresh_token={{refresh}}&client_id={{client}}&scope=read%20write
-- 400
{"error": "invalid_scope", "error_description": "<text>"}
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
grant_type=refresh_token&refresh_token={{refresh}}&client_id={{client}}&resource={{base}}/mcp
-- 400
{"error": "invalid_target", "error_description": "<text>"}
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
grant_type=refresh_token&refresh_token={{refresh}}&client_id={{confidential}}&client_secret={{secret}}
-- 400
{"error": "invalid_grant", "error_description": "<text>"}
@readonly DELETE /v1/grants/{{grant}} -- 403
DELETE /v1/grants/{{grant}} -- 200 {"data": {"id": "{{grant}}"}}
DELETE /v1/grants/{{grant}} -- 404
@none GET /v1/people (Authorization: Bearer {{access}}) -- 401
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
grant_type=refresh_token&refresh_token={{refresh}}&client_id={{client}}
-- 400
{"error": "invalid_grant", "error_description": "<text>"}

== token requests that are refused
@rows form status error
| grant_type=authorization_code&client_id={{client}}                                          | 400 | invalid_request        |
| client_id={{client}}                                                                        | 400 | invalid_request        |
| grant_type=password&client_id={{client}}&username=a&password=b                              | 400 | unsupported_grant_type |
| grant_type=client_credentials&client_id={{client}}                                          | 400 | unsupported_grant_type |
| grant_type=authorization_code&code=x                                                        | 401 | invalid_client         |
| grant_type=authorization_code&code=x&client_id=nobody                                       | 401 | invalid_client         |
| grant_type=authorization_code&code=x&client_id={{client}}                                   | 400 | invalid_grant          |
| grant_type=authorization_code&code=x&client_id={{client}}&client_secret=y                   | 401 | invalid_client         |
| grant_type=authorization_code&code=x&client_id={{confidential}}                             | 401 | invalid_client         |
| grant_type=authorization_code&code=x&client_id={{confidential}}&client_secret=y             | 401 | invalid_client         |
| grant_type=authorization_code&code=x&client_id={{confidential}}&client_secret={{secret}}    | 400 | invalid_grant          |
| grant_type=authorization_code&code=x&client_id=https://app.example/client                   | 400 | invalid_grant          |
| grant_type=refresh_token&refresh_token=x&client_id={{client}}                               | 400 | invalid_grant          |
| grant_type=refresh_token&refresh_token={{ada_key}}&client_id={{client}}                     | 400 | invalid_grant          |
| grant_type=refresh_token&grant_type=refresh_token&refresh_token=x&client_id={{client}}      | 400 | invalid_request        |
| grant_type=refresh_token&refresh_token=%00&client_id={{client}}                             | 400 | invalid_request        |
| grant_type=refresh_token&refresh_token=%ff&client_id={{client}}                             | 400 | invalid_request        |
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
{{form}}
-- {{status}}
Cache-Control: no-store
{"error": "{{error}}", "error_description": "<text>"}
@end
@none POST /oauth/token {"grant_type": "refresh_token"} -- 400 {"error": "invalid_request", "error_description": "<text>"}
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
Authorization: Basic bm9ib2R5Ong=
grant_type=refresh_token&refresh_token=x
-- 401
WWW-Authenticate: Basic realm="kith"
{"error": "invalid_client", "error_description": "<text>"}
@rows value
| Basic x         |
| Basic           |
| Basic %%%%      |
| Basic YQ==      |
| Basic JWZmOmE=  |
| Basic JTAwOmE=  |
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
Authorization: {{value}}
grant_type=refresh_token&refresh_token=x
-- 401
{"error": "invalid_client", "error_description": "<text>"}
@end
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
Authorization: Basic bm9ib2R5Ong=
grant_type=refresh_token&refresh_token=x&client_secret=y
-- 400
{"error": "invalid_request", "error_description": "<text>"}
@none GET /oauth/token -- 405

== revocation
@rows form status error
| client_id={{client}}               | 400 | invalid_request |
| token=x                            | 401 | invalid_client  |
| token=x&client_id=nobody           | 401 | invalid_client  |
| token=x&client_id={{confidential}} | 401 | invalid_client  |
@none POST /oauth/revoke
Content-Type: application/x-www-form-urlencoded
{{form}}
-- {{status}}
{"error": "{{error}}", "error_description": "<text>"}
@end
@each x {{ada_key}} kith_refresh_x
@none POST /oauth/revoke
Content-Type: application/x-www-form-urlencoded
token={{each}}&client_id={{client}}
-- 200
{}
@end
GET /v1/users/me -- 200

== a dry run or a repeated key change nothing about a request for tokens
@none POST /oauth/token?dryRun=true
Content-Type: application/x-www-form-urlencoded
Idempotency-Key: a
client_id={{client}}
-- 400
!Idempotent-Replayed
!X-Dry-Run
{"error": "invalid_request", "error_description": "<text>"}

== grants: everybody's own
GET /v1/grants -- 200 {"data": {"items": [], "pagination": {}}}
@readonly GET /v1/grants -- 200 {"data": {"items": [], "pagination": {}}}
DELETE /v1/grants/gnt_00000000-0000-0000-0000-000000000000 -- 404
DELETE /v1/grants/abc -- 422
* ...
