/* TLS 1.2 or newer; the receiver's certificate is verified against the target's name. */
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "webhook/deliver_private.h"

static SSL_CTX *tls_load(const char *ca_file)
{
	static const unsigned char http[] = "\x08http/1.1";
	SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
	bool good =
	    tls && SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) == 1 &&
	    SSL_CTX_set_alpn_protos(tls, http, sizeof http - 1) == 0 &&
	    (ca_file ? SSL_CTX_load_verify_locations(tls, ca_file, NULL) : SSL_CTX_set_default_verify_paths(tls)) == 1;

	ERR_clear_error();
	if (!good) {
		SSL_CTX_free(tls);
		return NULL;
	}
	SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
	/* Idle connections keep no buffers. An end without close_notify is accepted, because only the status line
	 * matters. */
	SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_max_send_fragment(tls, RECORD_MAX);
	SSL_CTX_set_max_cert_list(tls, CHAIN_MAX);
	SSL_CTX_set_options(tls, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
	return tls;
}

/* The system's certificates take 0.8 MB, so all who use them share one context. It stays until the process ends. */
SSL_CTX *tls_new(const char *ca_file)
{
	static SSL_CTX *usual;

	if (ca_file)
		return tls_load(ca_file);
	if (!usual)
		usual = tls_load(NULL);
	if (usual)
		SSL_CTX_up_ref(usual);
	return usual;
}

struct bufferevent *tls_buffer_new(struct event_base *base, SSL_CTX *tls, const char *host, bool literal)
{
	SSL *ssl = SSL_new(tls);
	struct bufferevent *buffer;
	bool good;

	if (!ssl)
		return NULL;
	X509_VERIFY_PARAM *check = SSL_get0_param(ssl);
	if (literal) {
		good = X509_VERIFY_PARAM_set1_ip_asc(check, host) == 1;
	} else {
		X509_VERIFY_PARAM_set_hostflags(check, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
		good = X509_VERIFY_PARAM_set1_host(check, host, 0) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
	}
	ERR_clear_error();
	if (!good) {
		SSL_free(ssl);
		return NULL;
	}
	buffer = bufferevent_openssl_socket_new(
	    base, -1, ssl, BUFFEREVENT_SSL_CONNECTING, BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
	if (buffer)
		bufferevent_openssl_set_allow_dirty_shutdown(buffer, 1);
	return buffer;
}

bool tls_holds_bytes(struct bufferevent *buffer)
{
	return SSL_has_pending(bufferevent_openssl_get_ssl(buffer)) == 1;
}

bool tls_failed(struct bufferevent *buffer)
{
	unsigned long error;
	bool found = SSL_get_verify_result(bufferevent_openssl_get_ssl(buffer)) != X509_V_OK;

	while ((error = bufferevent_get_openssl_error(buffer)))
		found = found || ERR_GET_LIB(error) == ERR_LIB_SSL;
	return found;
}
