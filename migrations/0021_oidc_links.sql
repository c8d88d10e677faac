-- The accounts of an OpenID Connect provider with which users sign in. A user has at most one of each provider.

create table oidc_links (
	workspace_id uuid not null,
	issuer text not null check (octet_length(issuer) <= 500),
	subject text not null check (octet_length(subject) between 1 and 255),
	user_id uuid not null,
	created_at timestamptz not null default now() check (isfinite(created_at)),
	primary key (workspace_id, issuer, subject),
	foreign key (workspace_id, user_id) references users on delete cascade
);
create unique index oidc_links_user on oidc_links (workspace_id, user_id, issuer);

-- The provider with whose account a session was made; null: the session has another origin.
alter table api_keys add column issuer text check (octet_length(issuer) <= 500);
