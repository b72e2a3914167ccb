-- People sign in to accounts by address, so no two accounts have the same one. The identity of a host knows its people
-- by id (platform X-10): two of them may share an address, and one may take over that of another.
ALTER TABLE kernel_user ADD COLUMN is_account boolean NOT NULL DEFAULT true;
ALTER TABLE kernel_user DROP CONSTRAINT kernel_user_email_key;
CREATE UNIQUE INDEX kernel_user_account_email ON kernel_user (email) WHERE is_account;
