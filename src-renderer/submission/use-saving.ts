import { useState } from 'react'
import { REASONS_SETTLED_BY_APPROVAL, type SubmissionDetails } from '../../src-shared/submission.ts'
import { runAction } from '../queue/run-action.ts'
import type { SubmissionAction } from '../queue/submission-actions.ts'
import { runCall } from '../shell/run-call.ts'
import { goTo } from '../shell/routes.ts'
import { tell } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { signature } from '../who/initials.ts'
import { readDraft } from './draft.ts'
import { draftOf, forgetDraft, useDraft } from './drafts.ts'
import { focusField } from './focus-field.ts'
import { t } from '../words/t.ts'

/** The states that a person can send on from, and by which action. */
const NEXT_ACTION = {
  collecting: 'closeNow',
  incomplete: 'approve',
  review: 'approve',
  held: 'release',
  refused: 'retry',
} as const satisfies Partial<Record<SubmissionDetails['state'], SubmissionAction>>

/** Only a look was asked for, and whoever approves has looked. */
function isSettledByApproval({ reasons }: SubmissionDetails): boolean {
  return reasons.every(({ kind }) => REASONS_SETTLED_BY_APPROVAL.includes(kind))
}

export type Saving = {
  readonly changeCount: number
  readonly isBusy: boolean
  save(): Promise<void>
  /** Saves, then sends the submission on its way as far as its state allows. */
  saveAndSend(): Promise<void>
}

/** Saves what was typed into a submission. */
export function useSaving(details: SubmissionDetails, onSaved: (saved: SubmissionDetails) => void): Saving {
  const session = useSession()
  const [isBusy, setBusy] = useState(false)
  const { id } = details
  const { changeCount } = readDraft(useDraft(id), details.fields)

  /** The submission as it is once everything is saved; null where that was not possible. */
  const saveAll = async (): Promise<SubmissionDetails | null> => {
    const draft = draftOf(id)
    const { changes, problems } = readDraft(draft, details.fields)
    const [wrong] = Object.keys(problems)
    if (wrong !== undefined) {
      tell({ tone: 'red', message: t('submission:correctFirst') })
      focusField(wrong)
      return null
    }
    if (Object.keys(changes).length === 0) {
      forgetDraft(id, draft)
      return details
    }
    const saved = await runCall(session, 'submissions.update', { id, ...signature(), fields: changes })
    if (!saved) return null
    forgetDraft(id, draft)
    onSaved(saved)
    return saved
  }

  const busily = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await work()
    setBusy(false)
  }

  return {
    changeCount,
    isBusy,
    save: () =>
      busily(async () => {
        if (changeCount > 0 && (await saveAll())) tell({ tone: 'green', message: t('submission:saved') })
      }),
    saveAndSend: () =>
      busily(async () => {
        const saved = await saveAll()
        if (!saved) return
        if (saved.state === 'incomplete' && !isSettledByApproval(saved)) {
          tell({
            tone: 'red',
            title: t('submission:stillMissing.title'),
            message: t('submission:stillMissing.message'),
          })
          const [first] = saved.reasons
          if (first?.field) focusField(first.field)
          return
        }
        const action = NEXT_ACTION[saved.state as keyof typeof NEXT_ACTION] as SubmissionAction | undefined
        if (action) await runAction(session, action, [id])
        if (action && action !== 'closeNow') goTo({ screen: 'queue' })
      }),
  }
}
