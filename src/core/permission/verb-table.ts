/**
 * The words by which a tool's name is judged: verbs that read, words that only name a state, and verbs that change
 * something. All in lower case and in their base form. The one place to extend when a name is taken wrongly;
 * test/permission/tool-names.test.ts holds the table against names of real tools.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Verbs that look at something. A name that begins with one reads, unless something in it says otherwise. */
export const readingVerbs = words(`
  get list read search find show describe fetch query count lookup look view browse inspect explain summarize summarise
  compare diff calculate compute convert translate estimate validate verify check analyze analyse detect preview
  retrieve display tell echo ping status stat stats head tail cat ls grep glob tree peek is has exists help greet
  recommend suggest identify decode encode
`);

/** Words that name a state and no act. A name that consists of them and of reading verbs reads. */
export const stateWords = words(`
  about capabilities config configuration current date datetime day health hello hostname info information languages
  latest memory metrics name now random server settings status system time timezone timezones today uptime usage user
  version versions weather whoami world wait sleep delay slow roots sampling elicitation
`);

/** Reading words that are nouns as well: what follows them may be the verb, as in `list_push`. */
export const readingNouns = words('list status query count head tail tree cat check help');

/** Sums: they change nothing as long as all that they take is numbers. */
export const arithmetic = words('add sum subtract multiply divide average mean modulo power sqrt min max');

/** Words for sums. */
export const numberWords = words('numbers number integers ints floats digits values two three vectors matrices and of');

/** Verbs that change something wherever they stand in a name. */
export const damagingVerbs = words(`
  abort accept activate add alter append apply approve assign attach ban bulkdelete buy cancel chmod chown cleanup
  clean clear clone configure create deactivate decline decrement decr del delete deny deploy dequeue destroy disable
  discard disconnect dispatch donate downgrade drain eject emit empty enable enqueue enroll erase escalate
  eval evict evaluate exec execute expire finish flush follow freeze grant halt hide import incr increment ingest
  inject insert install invalidate invite invoke join kick kill launch leave liquidate login logout make
  mark migrate mint mkdir modify mount mute mv nack notify nuke obliterate overwrite pause pay perform persist poweroff
  prune publish purchase purge put reboot rebase rebuild redeem redo register reject remove rename renew reply
  repay replace reserve reset restart restore resume revert revoke rm rmdir rollback rotate save sell send
  shell shred shutdown spawn start stop store submit subscribe sudo suspend swap sync terminate toggle touch trash truncate
  tweet unarchive unassign unban unblock uncomment undelete undeploy undo unenroll unfollow unfreeze unhide uninstall
  unlink unlock unmount unmute unpin unpublish unregister unshare unstar unsubscribe upgrade upload upsert vacuum
  wipe withdraw write lpush rpush lpop rpop hset hdel sadd srem zadd zrem xadd setex mset
`);

/** Verbs that change something and are nouns as well: `commit_file` changes, `get_commit` does not. */
export const damagingNouns = words(`
  alert archive backup bid block book boot branch build burn call change charge checkout checkin click close command
  comment commit complete copy debit credit deposit dial download drag drop edit email execution fill force fork format
  forward hack index issue like load lock log mail merge message move note order patch pin post press process
  provision pull push record refund release report request run scale schedule share seed set sign snapshot stake star stash
  tag text tip trade train transfer type update vote watch wire
`);

/** Words of the above that are nearly always nouns: at the beginning of a name they are no evidence. */
export const mostlyNouns = words(
  'alert execution index issue log note process record report request snapshot type watch',
);

/** Reading verbs after a noun: `issue_read`, `order_list`. */
export const closingReaders = words('read get list search find show view fetch describe lookup');

/** Verbs behind which a list or a search is what they act upon: `email_list`, `run_search`. */
export const actsOnLists = words(
  'call drop email fill forward mail message move post press pull push run schedule seed set share tag text transfer',
);

/** Nouns that are verbs only at the beginning of a name: `book_flight`, `extract_text`. */
export const verbsInFront = words('book branch email format index mail message tag text tip type');

/** Parts of words that mean damage in any compound: `autodelete`, `purging`. */
export const damagingStems = [
  'delet',
  'destroy',
  'terminat',
  'truncat',
  'eras',
  'purg',
  'shutdown',
  'uninstall',
  'overwrit',
  'revok',
  'reboot',
] as const;

/** Forms that describe a state, not an act: `list_deleted_items`. */
export const participles = words(
  'deleted undeleted destroyed terminated truncated erased purged uninstalled overwritten revoked rebooted phrase phrases',
);

/** Join two acts in one name; the next word is a verb again. */
export const connectives = words('and or then n');

/** Compounds without a separator: these at the beginning of a word read, where nothing behind them changes. */
export const readingPrefixes = [
  'get',
  'list',
  'read',
  'search',
  'find',
  'show',
  'describe',
  'fetch',
  'query',
  'lookup',
] as const;

/** The same for what changes. */
export const damagingPrefixes = [
  'create',
  'delete',
  'remove',
  'update',
  'insert',
  'write',
  'send',
  'upload',
  'execute',
  'destroy',
  'cancel',
  'rename',
  'publish',
  'deploy',
  'install',
  'restart',
  'replace',
] as const;

/** Words that begin like the above and are something else. */
export const otherWords = words(
  'address addresses addressbook creator creators ready reader readers readme listen listener listing listings finder findings showcase searchable getaway setting settings updated updates sender senders installed installer creative deployment deployments created removed removal deletion deletions inserted writer writers publisher publishers published canceled cancelled renamed replaced replacement replacements installation installations restarts description descriptions fetcher queryable queries lists reads shows searches describes',
);
