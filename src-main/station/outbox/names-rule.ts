/** Returns cases that rest on names alone to a person, and shows after an update that a station does so. */
import type { Settings } from '../../../src-shared/settings.ts'
import { mayLeave } from './approvals.ts'
import { appendAudit, readFact, writeFact } from './audit.ts'
import { idsIn, rowOf } from './submissions.ts'
import { moveSubmission } from './transitions.ts'
import type { WriteThrough } from './write-through.ts'

/** Moves a waiting case to review if it may not leave as it is. True if it was moved. */
export function reviewIfNamesOnly(store: WriteThrough, id: string, at: number): boolean {
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

function setNamesRule(store: WriteThrough, value: NamesRule): void {
  writeFact(store, 'namesRule', value)
}

/**
 * Once after the update that introduced the rule, moves every waiting case that rests on names alone and that no
 * person approved to review. Returns their number; null if done before. One commit, before delivery starts.
 */
export function applyNamesRuleOnce(
  store: WriteThrough,
  folders: Settings['folders'],
  at: number,
): { readonly moved: number } | null {
  return store.write(() => {
    if (readFact(store, 'namesRule') !== 'due') return null
    const moved = idsIn(store, 'waiting').filter((id) => reviewIfNamesOnly(store, id, at)).length
    const sendsByItself = folders.some((folder) => folder.sendWithoutReview)
    setNamesRule(store, sendsByItself || moved > 0 ? 'unexplained' : 'explained')
    appendAudit(store, { at, submissionId: null, what: 'namesRuleApplied', by: null, details: { moved } })
    return { moved }
  })
}

/** Did this station send automatically before the rule, and has no person read yet why cases wait now? */
export function isNamesRuleUnexplained(store: WriteThrough): boolean {
  return readFact(store, 'namesRule') === 'unexplained'
}

/** Records that a person has read it. False if there is nothing to read. */
export function noteNamesRuleExplained(store: WriteThrough): boolean {
  if (!isNamesRuleUnexplained(store)) return false
  setNamesRule(store, 'explained')
  return true
}
