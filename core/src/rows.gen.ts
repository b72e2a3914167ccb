// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface KernelApiKey {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly fingerprint: string;
  readonly prefix: string;
  readonly graph_id: string | null;
  readonly is_active: boolean;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

export interface KernelChain {
  readonly name: string;
  readonly graph_id: string | null;
  readonly expired_seq: number;
  readonly expired_hash: Buffer;
  readonly expired_until: Date | null;
  readonly last_seq: number;
  readonly last_hash: Buffer;
  readonly settled_place: number;
  readonly pending_place: number;
  readonly pending_writers: readonly string[];
}

export interface KernelChainBatch {
  readonly chain: string;
  readonly graph_id: string | null;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly places: string;
  readonly digests: Buffer;
  readonly hash: Buffer;
}

export interface KernelCreditPool {
  readonly id: string;
  readonly graph_id: string;
  readonly subscriber_id: string | null;
  readonly tier: string;
  readonly allocation_hundredths: number;
  readonly balance_hundredths: number;
  readonly is_active: boolean;
  readonly period_started_at: Date;
  readonly alert_month: string;
  readonly alert_level: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface KernelCreditReservation {
  readonly operation_id: string;
  readonly call_index: number;
  readonly pool_id: string;
  readonly state: 'open' | 'settled' | 'released';
  readonly attempt: number;
  readonly reserved_hundredths: number;
  readonly charged_hundredths: number;
  readonly transaction_id: string | null;
  readonly expires_at: Date;
}

export interface KernelCreditTransaction {
  readonly id: string;
  readonly pool_id: string;
  readonly graph_id: string | null;
  readonly type: 'allocation' | 'consumption' | 'bonus' | 'refund' | 'expiration' | 'reservation';
  readonly amount_hundredths: number;
  readonly operation_type: string;
  readonly description: string;
  readonly metadata: unknown;
  readonly idempotency_key: string | null;
  readonly operation_id: string | null;
  readonly request_id: string | null;
  readonly user_id: string | null;
  readonly created_at: Date;
}

export interface KernelFileTransfer {
  readonly token_hash: Buffer;
  readonly graph_id: string;
  readonly direction: 'upload' | 'download';
  readonly file_key: string;
  readonly content_type: string;
  readonly max_bytes: number | null;
  readonly file_name: string | null;
  readonly expires_at: Date;
  readonly completed_at: Date | null;
  readonly user_id: string | null;
}

export interface KernelGraph {
  readonly graph_id: string;
  readonly org_id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly graph_type: string;
  readonly tier: string;
  readonly status: 'creating' | 'active' | 'suspended' | 'deleting' | 'deprovisioned' | 'deleted';
  readonly parent_id: string | null;
  readonly extensions: readonly string[];
  readonly placement: string;
  readonly stale_since: Date | null;
  readonly stale_reason: string | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly write_block: 'upgrading' | 'canceled' | 'unpaid' | 'paused' | null;
  readonly is_past_due: boolean;
  readonly last_subgraph_index: number;
  readonly stale_marked_at: Date | null;
}

export interface KernelGraphDatabase {
  readonly address: string;
  readonly graph_id: string;
  readonly generation: number;
  readonly state: 'loading' | 'copying' | 'ready' | 'clearing';
  readonly tables: unknown;
  readonly claimed_at: Date;
  readonly holder: string | null;
  readonly held_until: Date | null;
}

export interface KernelGraphRemoval {
  readonly graph_id: string;
  readonly requested_by: string;
  readonly requested_at: Date;
  readonly phase: 'preserve' | 'remove' | 'rows';
  readonly failures: number;
  readonly next_at: Date;
  readonly error: string | null;
  readonly finished_at: Date | null;
}

export interface KernelGraphReservation {
  readonly graph_id: string;
  readonly org_id: string;
  readonly reserved_by: string;
  readonly created_at: Date;
}

export interface KernelGraphSchema {
  readonly graph_id: string;
  readonly definition: unknown;
  readonly created_at: Date;
}

export interface KernelGraphUser {
  readonly graph_id: string;
  readonly user_id: string;
  readonly role: 'viewer' | 'member' | 'admin';
  readonly source: string;
  readonly created_at: Date;
  readonly granted_by: string | null;
}

export interface KernelIdempotency {
  readonly graph_id: string;
  readonly key_hash: Buffer;
  readonly operation_id: string;
  readonly expires_at: Date;
  readonly is_of_worker: boolean;
}

export interface KernelOauthGrant {
  readonly id: string;
  readonly user_id: string;
  readonly graph_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly client_uri: string | null;
  readonly client_is_trusted: boolean;
  readonly resource: string;
  readonly scope: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

export interface KernelOperation {
  readonly id: string;
  readonly graph_id: string | null;
  readonly user_id: string;
  readonly name: string;
  readonly runs: 'inline' | 'worker';
  readonly status: 'pending' | 'running' | 'awaiting_input' | 'completed' | 'failed' | 'cancelled';
  readonly task: unknown;
  readonly checkpoint: unknown;
  readonly input_request: unknown;
  readonly answer: unknown;
  readonly result: unknown;
  readonly error: string | null;
  readonly error_details: unknown;
  readonly progress: unknown;
  readonly attempt: number;
  readonly lost_count: number;
  readonly event_count: number;
  readonly dedupe_key: string | null;
  readonly lease_owner: string | null;
  readonly lease_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly finished_at: Date | null;
  readonly joined_by: readonly string[];
  readonly packed_result: Buffer | null;
}

export interface KernelOperationAudit {
  readonly operation_id: string;
  readonly graph_id: string | null;
  readonly user_id: string;
  readonly operation: string;
  readonly surface: string;
  readonly status: string;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly input_fingerprint: string;
  readonly key_hash: string | null;
  readonly request_id: string;
  readonly credential: string;
  readonly key_prefix: string | null;
  readonly at: Date;
  readonly touched: unknown;
  readonly written: number;
  readonly seq: number | null;
  readonly prev_hash: Buffer | null;
  readonly hash: Buffer | null;
}

export interface KernelOperationEvent {
  readonly operation_id: string;
  readonly sequence: number;
  readonly type: string;
  readonly payload: unknown;
  readonly at: Date;
}

export interface KernelOrg {
  readonly id: string;
  readonly name: string;
  readonly org_type: 'personal' | 'team' | 'enterprise';
  readonly graphs_max: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface KernelOrgInvitation {
  readonly id: string;
  readonly org_id: string;
  readonly email: string;
  readonly role: 'admin' | 'member';
  readonly status: 'pending' | 'accepted' | 'revoked';
  readonly token_hash: string;
  readonly invited_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly settled_at: Date | null;
}

export interface KernelOrgUser {
  readonly user_id: string;
  readonly org_id: string;
  readonly role: 'owner' | 'admin' | 'member';
  readonly joined_at: Date;
}

export interface KernelOutbox {
  readonly id: string;
  readonly graph_id: string | null;
  readonly topic: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly next_at: Date;
  readonly last_error: string | null;
}

export interface KernelPasskey {
  readonly id: string;
  readonly user_id: string;
  readonly credential_id: string;
  readonly public_key: string;
  readonly sign_count: number;
  readonly transports: unknown;
  readonly aaguid: string;
  readonly backup_eligible: boolean;
  readonly backup_state: boolean;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export interface KernelRateSlot {
  readonly bucket: string;
  readonly slot: number;
  readonly calls: number;
  readonly expires_at: Date;
}

export interface KernelRecoveryCode {
  readonly user_id: string;
  readonly code_hash: string;
  readonly created_at: Date;
  readonly used_at: Date | null;
}

export interface KernelRevokedSession {
  readonly jti: string;
  readonly reason: string;
  readonly usable_until: Date;
  readonly expires_at: Date;
}

export interface KernelSchedule {
  readonly job: string;
  readonly next_at: Date;
}

export interface KernelSecurityAudit {
  readonly id: string;
  readonly event_type: string;
  readonly risk: 'low' | 'medium' | 'high' | 'critical';
  readonly user_id: string | null;
  readonly org_id: string | null;
  readonly graph_id: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly endpoint: string | null;
  readonly request_id: string | null;
  readonly credential: string | null;
  readonly key_prefix: string | null;
  readonly details: unknown;
  readonly at: Date;
  readonly written: number;
  readonly seq: number | null;
  readonly prev_hash: Buffer | null;
  readonly hash: Buffer | null;
}

export interface KernelSelectedGraph {
  readonly user_id: string;
  readonly graph_id: string;
}

export interface KernelShortLived {
  readonly kind: string;
  readonly key: string;
  readonly value: unknown;
  readonly expires_at: Date;
}

export interface KernelStreamSlot {
  readonly id: string;
  readonly user_id: string;
  readonly expires_at: Date;
  readonly purpose: string;
}

export interface KernelSubgraph {
  readonly graph_id: string;
  readonly parent_id: string;
  readonly name: string;
  readonly subgraph_index: number;
  readonly subgraph_type: 'static' | 'knowledge' | 'empty';
  readonly generation: number;
  readonly metadata: unknown;
}

export interface KernelUsageEvent {
  readonly id: string;
  readonly graph_id: string;
  readonly type: string;
  readonly at: Date;
  readonly amount: number;
  readonly details: unknown;
}

export interface KernelUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string | null;
  readonly is_active: boolean;
  readonly email_verified: boolean;
  readonly session_version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly is_account: boolean;
}

export interface KernelUserToken {
  readonly token_hash: string;
  readonly user_id: string;
  readonly type: 'email_verification' | 'password_reset';
  readonly email: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
}

/** For `tx.tables<KernelTables>()`. */
export interface KernelTables {
  readonly kernel_api_key: KernelApiKey;
  readonly kernel_chain: KernelChain;
  readonly kernel_chain_batch: KernelChainBatch;
  readonly kernel_credit_pool: KernelCreditPool;
  readonly kernel_credit_reservation: KernelCreditReservation;
  readonly kernel_credit_transaction: KernelCreditTransaction;
  readonly kernel_file_transfer: KernelFileTransfer;
  readonly kernel_graph: KernelGraph;
  readonly kernel_graph_database: KernelGraphDatabase;
  readonly kernel_graph_removal: KernelGraphRemoval;
  readonly kernel_graph_reservation: KernelGraphReservation;
  readonly kernel_graph_schema: KernelGraphSchema;
  readonly kernel_graph_user: KernelGraphUser;
  readonly kernel_idempotency: KernelIdempotency;
  readonly kernel_oauth_grant: KernelOauthGrant;
  readonly kernel_operation: KernelOperation;
  readonly kernel_operation_audit: KernelOperationAudit;
  readonly kernel_operation_event: KernelOperationEvent;
  readonly kernel_org: KernelOrg;
  readonly kernel_org_invitation: KernelOrgInvitation;
  readonly kernel_org_user: KernelOrgUser;
  readonly kernel_outbox: KernelOutbox;
  readonly kernel_passkey: KernelPasskey;
  readonly kernel_rate_slot: KernelRateSlot;
  readonly kernel_recovery_code: KernelRecoveryCode;
  readonly kernel_revoked_session: KernelRevokedSession;
  readonly kernel_schedule: KernelSchedule;
  readonly kernel_security_audit: KernelSecurityAudit;
  readonly kernel_selected_graph: KernelSelectedGraph;
  readonly kernel_short_lived: KernelShortLived;
  readonly kernel_stream_slot: KernelStreamSlot;
  readonly kernel_subgraph: KernelSubgraph;
  readonly kernel_usage_event: KernelUsageEvent;
  readonly kernel_user: KernelUser;
  readonly kernel_user_token: KernelUserToken;
}
