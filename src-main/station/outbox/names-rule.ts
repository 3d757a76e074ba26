/** Returns cases that rest on names alone to a person, and shows after an update that a station does so. */
import type { Settings } from '../../../src-shared/settings.ts'
import { mayLeave } from './approvals.ts'
import { appendAudit, readFact, writeFact } from './audit.ts'
import { unsettledIds } from './recovery/manifests.ts'
import { namedOnlyOf } from './rows.ts'
import { idsIn, rowOf } from './submissions.ts'
import { moveSubmission } from './transitions.ts'
import type { Store } from './database.ts'

/** Moves a waiting case to review if it may not leave as it is. True if it was moved. */
export function reviewIfNamesOnly(store: Store, id: string, at: number): boolean {
  return store.write(() => {
    if (rowOf(store, id)?.state !== 'waiting' || mayLeave(store, id)) return false
    moveSubmission(
      store,
      id,
      'gatheredForReview',
      { failure: null, notBefore: null },
      { at, details: { why: 'readFromNames' } },
    )
    return true
  })
}

/**
 * The fact `namesRule` in an outbox older than the rule: `due` until its cases were checked, `unexplained` until
 * a person has read why they wait, then `explained`.
 */
type NamesRule = 'due' | 'unexplained' | 'explained'

function setNamesRule(store: Store, value: NamesRule): void {
  writeFact(store, 'namesRule', value)
}

type Applying = {
  readonly folders: Settings['folders']
  /** Stores what the files of a case say about its patient and visit. */
  readonly rereadIdentity: (id: string) => void
  readonly at: number
}

/**
 * Once after the update that introduced the rule, moves every waiting case that rests on names alone and that no
 * person approved to review. Cases whose rows do not say what rests on names are read again first. Returns the
 * number of moved cases; null if done before. One commit, before delivery starts.
 */
export function applyNamesRuleOnce(
  store: Store,
  { folders, rereadIdentity, at }: Applying,
): { readonly moved: number } | null {
  return store.write(() => {
    if (readFact(store, 'namesRule') !== 'due') return null
    for (const id of unsettledIds(store)) {
      const row = rowOf(store, id)
      if (row !== undefined && namedOnlyOf(row) === null) rereadIdentity(id)
    }
    const moved = idsIn(store, 'waiting').filter((id) => reviewIfNamesOnly(store, id, at)).length
    const sendsByItself = folders.some((folder) => folder.sendWithoutReview)
    setNamesRule(store, sendsByItself || moved > 0 ? 'unexplained' : 'explained')
    appendAudit(store, { at, submissionId: null, what: 'namesRuleApplied', by: null, details: { moved } })
    return { moved }
  })
}

/** Did this station send automatically before the rule, and has no person read yet why cases wait now? */
export function isNamesRuleUnexplained(store: Store): boolean {
  return readFact(store, 'namesRule') === 'unexplained'
}

/** Records that a person has read it. False if there is nothing to read. */
export function noteNamesRuleExplained(store: Store): boolean {
  if (!isNamesRuleUnexplained(store)) return false
  setNamesRule(store, 'explained')
  return true
}
