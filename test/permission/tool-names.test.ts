/**
 * The table of verbs held against names of real tools: of published servers, as their lists give them, and of the
 * kinds that do most harm. What each list demands was decided by reading the name, not by running the code.
 */
import { describe, expect, test } from 'vitest';
import { readName } from '../../src/core/permission/tool-name.ts';

const names = (text: string): string[] => text.trim().split(/\s+/);

/** May be called when nothing is annotated: the name begins with a reading verb, or consists of reading words. */
const reading = names(`
  get_issue get_pull_request get_pull_request_diff get_pull_request_files get_pull_request_comments get_pull_request_status get_file_contents
  get_commit get_me get_tag get_latest_release get_release_by_tag get_code_scanning_alert get_dependabot_alert get_job_logs get_workflow_run
  get_workflow_run_logs get_discussion get_discussion_comments get_gist get_teams get_team_members get_label get_notification_details
  list_issues list_pull_requests list_commits list_branches list_tags list_releases list_workflows list_workflow_runs list_notifications
  list_code_scanning_alerts list_dependabot_alerts list_discussions list_gists list_starred_repositories list_issue_types list_sub_issues
  search_repositories search_code search_issues search_pull_requests search_users search_orgs
  read_file read_text_file read_media_file read_multiple_files list_directory list_directory_with_sizes search_files get_file_info list_allowed_directories
  read_graph search_nodes get-time get_current_time convert_time fetch echo get-sum get-env get-tiny-image get-resource-links get-structured-content
  get_next_task list_requests list-files list-file-types count-matches search read_notes search_notes
  get_hk_quotes get_a_share_quotes is_trading_day get_market_status get_fund_flow_rank get_deleted_items list_deleted_users get_removed_members
  list_tables describe_table read_query query list_databases list_schemas list_collections find count find_documents
  get_object list_objects list_buckets get_bucket_policy describe_instances list_functions get_function get_log_events describe_log_groups
  list_pods get_pod get_deployments list_namespaces describe_pod get_events kubectl.get kubernetes/list_pods
  get_customer list_customers list_invoices list_subscriptions list_disputes list_payment_intents search_stripe_documentation list_products list_prices retrieve_balance
  get_order get_orders list_orders get_transfer get_post get_posts list_posts get_comment get_comments list_messages read_message read_email get_message search_emails list_drafts
  get_charge list_charges get_refund list_refunds get_payment get_transaction_history get_wallet_balance check_balance get_quote get_trade_history
  getIssue listProjects searchUsers readFile fetchPage findById showStatus describeTable queryMetrics viewLogs GetUser ListItems
  getuser listfiles readfile searchcode findusers
  github.get_issue github/list_issues mcp__github__get_issue slack:list_channels notion__search
  browse inspect explain summarize compare diff calculate compute translate estimate validate verify check analyze detect preview lookup
  validate_schema check_syntax analyze_code explain_query estimate_cost compare_versions detect_language translate_text convert_currency calculate_bmi
  lookup_word look_up_word view_file view_image browse_page retrieve_documents tell_joke
  status version help about ping health info whoami time now uptime config
  server_status system_info current_time health_check server_version weather current_weather latest_version random
  sleep wait slow delay roots sampling
  tail_logs head_file cat_file ls tree grep glob stat stats suggest_titles recommend_movies
  get_update get_updates get_patch get_merge_base get_signature get_build get_build_log get_run get_runs get_test_results
  getUpdateStatus list_changes list_edits get_edit_history read_set get_settings list_settings get_address get_addresses
  get_listing get_creator get_updated_since get_deployment get_deployments_list list_deployments get_publishers
`);

/** Never called without consent, and not trusted when they say readOnlyHint: true. */
const damaging = names(`
  create_issue update_issue add_issue_comment create_pull_request update_pull_request merge_pull_request update_pull_request_branch create_branch
  create_or_update_file delete_file push_files create_repository fork_repository add_comment_to_pending_review submit_pending_pull_request_review
  create_pending_pull_request_review delete_pending_pull_request_review assign_copilot_to_issue  dismiss_notification_delete
  mark_all_notifications_read manage_and_delete run_workflow rerun_workflow_run cancel_workflow_run delete_workflow_run_logs
  create_gist update_gist star_repository unstar_repository add_sub_issue remove_sub_issue
  write_file edit_file create_directory move_file copy_file delete_directory remove_file rm rmdir_delete mkdir touch_file rename_file
  create_entities create_relations add_observations delete_entities delete_observations delete_relations
  git_add git_commit git_reset git_checkout git_push git_stash git_merge git_rebase git_create_branch
  add_tasks_to_request mark_task_done approve_task_completion approve_request_completion update_task delete_task
  run_command execute_command execute_sql write_query run_query exec shell bash_exec run_script eval_js execute_code run_python_code
  insert insert-many update-many delete-many drop-collection drop-database create-index rename-collection truncate_table drop_table alter_table create_table
  put_object delete_object delete_bucket create_bucket upload_file upload_object start_instance stop_instances terminate_instances reboot_instance launch_instance
  create_stack update_stack delete_stack invoke_function deploy_function publish_version set_alarm
  kubectl_apply kubectl_delete kubectl_create kubectl_patch kubectl_scale kubectl_rollout_restart install_helm_chart uninstall_helm_chart upgrade_helm_chart apply_manifest delete_pod scale_deployment
  create_customer create_product create_price create_payment_link create_invoice finalize_and_send create_refund cancel_subscription update_subscription update_dispute
  send_message send_email reply_to_email forward_email delete_email draft_and_send post_message reply_to_thread add_reaction send_sms make_call place_and_pay
  slack_post_message slack_reply_to_thread slack_add_reaction
  post_tweet tweet publish_post create_post delete_post like_post share_post follow_user unfollow_user block_user mute_user ban_user kick_member
  buy_stock sell_stock order_pizza pay_invoice pay charge_card charge_customer refund_payment transfer_funds transfer_money wire_transfer wire_money withdraw deposit_funds swap_tokens stake mint_nft burn_tokens sign_transaction
  book_flight reserve_table purchase_item place_order_and_pay submit_order checkout checkout_cart
  approve_expense reject_expense grant_access revoke_access revoke_token rotate_keys assign_role unassign_role invite_user remove_user add_user create_user disable_user enable_user suspend_account activate_account deactivate_account
  lock_door unlock_door toggle_light set_temperature start_engine stop_engine reboot shutdown restart_service restart reset_password factory_reset power_off_and_restart
  erase_disk format_disk wipe_device purge_queue flush_cache clear_cache empty_trash clean_up prune_images
  kill_process terminate_process destroy_environment
  deleteIssue createIssue updateIssue sendEmail DropTable runCommand executeSql removeUser uploadFile createissue deleteall sendmail removeitem
  github.delete_repo github/create_issue mcp__github__merge_pull_request users.delete email:send delete.list
  get_and_delete search_and_replace find_and_remove get_or_create find_or_create read_then_delete fetch_and_store list_and_buy getanddeletefile_delete
  list_push list_set lpush rpush hset sadd zadd set setex expire publish
  bulk_delete autodelete softDelete undelete purging_job deleting_files deletes_user
  browser_click browser_press_key browser_fill_form browser_drag browser_file_upload browser_evaluate click fill_form press_key upload_image
  API-post-page API-patch-page API-delete-a-block API-update-a-block notion-create-pages notion-update-page notion-move-pages
  check_in check_out sign_in sign_up log_out login opt_out
  commit push merge patch edit upload approve sign buy charge cancel grant revoke launch wire erase truncate terminate
  toggle-simulated-logging write-report import_data import-csv sync_repo migrate_database restore_backup rollback_deployment
  email_user message_user call_phone dial_number comment_on_issue
  email_list post_status push_status
`);

/** Neither: left out when nothing is annotated, trusted when they say readOnlyHint: true. */
const unclear = names(`
  collection-schema-describe request_copilot_review browser_type account_settings web_search brave_web_search advanced-search git_status git_log git_diff_unstaged directory_tree open_nodes open_task_details nx_docs
  sequentialthinking sequentialthinking_tools trigger-long-running-operation simulate-research-query trigger-sampling-request gzip-file-as-resource
  resolve-library-id issue_read pull_request_read note_get log forecast picture sound attachment report export-report
  browser_snapshot browser_take_screenshot browser_console_messages browser_network_requests browser_navigate navigate
  order_read commit_get branch_lookup charge_search aws___documentation ask-user ask-model elicit reconnect
  generate_report render_template process_data request_planning foo x tool1 deleted_items updated_fields posts orders commits address_book_reader
  maps_geocode maps_directions extract_text parse_document ocr think plan hello_there
`);

/** Harmless only where all that they take is numbers. */
const sums = names('add sum add_numbers addNumbers multiply divide subtract add_two_numbers');

describe('names of real tools', () => {
  test('there are some hundred, each once', () => {
    const all = [...reading, ...damaging, ...unclear, ...sums];
    expect(all.length).toBeGreaterThan(500);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });

  test.each([
    ['read', reading, 'reads'],
    ['change something', damaging, 'damages'],
    ['tell nothing', unclear, 'nothing'],
    ['are sums', sums, 'sums'],
  ] as const)('those that %s', (_title, list, says) => {
    expect(
      list.filter((name) => readName(name).says !== says).map((name) => `${name}: ${JSON.stringify(readName(name))}`),
    ).toEqual([]);
  });

  test('a name that goes on and on does not read', () => {
    expect(readName(`get_${'x_'.repeat(200)}delete`).says).toBe('nothing');
    expect(readName(`delete_${'x'.repeat(100_000)}`).says).toBe('damages');
  });

  test('a name without letters says nothing', () => {
    for (const name of ['', '42', '获取行情', '___', '/', '::'])
      expect(readName(name), name).toEqual({ says: 'nothing' });
  });
});
