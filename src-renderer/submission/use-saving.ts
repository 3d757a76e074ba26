import { useState } from 'react'
import { REASONS_SETTLED_BY_APPROVAL, type SubmissionDetails } from '../../src-shared/submission.ts'
import { runAction } from '../queue/run-action.ts'
import type { SubmissionAction } from '../queue/submission-actions.ts'
import { showFailure } from '../shell/run-call.ts'
import { goTo } from '../shell/routes.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import { useClinical } from './fields-context.ts'
import { focusField } from './focus-field.ts'
import { unsavableIn } from './save-state.ts'
import { useAutosave, type Autosave } from './use-autosave.ts'

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

export type Saving = Pick<Autosave, 'state' | 'leave'> & {
  readonly isBusy: boolean
  save(): Promise<void>
  /** Saves before something else is done; null where that was not possible, which is told. */
  saveAll(): Promise<SubmissionDetails | null>
  /** Saves, then sends the submission on its way as far as its state allows. */
  saveAndSend(): Promise<void>
}

/** Saves what was typed into a submission: by itself after a while, and at a person's word. */
export function useSaving(details: SubmissionDetails, onSaved: (saved: SubmissionDetails) => void): Saving {
  const session = useSession()
  const { vaUnit } = useClinical()
  const [isBusy, setBusy] = useState(false)
  const { id } = details
  const autosave = useAutosave(details, onSaved)

  /** The submission as it is once everything is saved; null where that was not possible, which is told. */
  const saveAll = async (): Promise<SubmissionDetails | null> => {
    const unsavable = unsavableIn(details, vaUnit)
    if (unsavable) {
      showToast({
        tone: 'red',
        message: t(unsavable.why === 'conflict' ? 'submission:conflictFirst' : 'submission:correctFirst'),
      })
      focusField(unsavable.field)
      return null
    }
    const saved = await autosave.saveNow()
    if (saved.ok) return saved.value
    showFailure(saved.failure)
    return null
  }

  const busily = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await work()
    setBusy(false)
  }

  return {
    state: autosave.state,
    leave: autosave.leave,
    isBusy,
    saveAll,
    save: () =>
      busily(async () => {
        const hadChanges = autosave.state.kind !== 'clean' && autosave.state.kind !== 'saved'
        if (hadChanges && (await saveAll())) showToast({ tone: 'green', message: t('submission:saved') })
      }),
    saveAndSend: () =>
      busily(async () => {
        const saved = await saveAll()
        if (!saved) return
        if ((saved.state === 'incomplete' || saved.state === 'refused') && !isSettledByApproval(saved)) {
          showToast({
            tone: 'red',
            title: t('submission:stillMissing.title'),
            message: t('submission:stillMissing.message'),
          })
          const [first] = saved.reasons
          if (first?.field) focusField(first.field)
          return
        }
        const action = NEXT_ACTION[saved.state as keyof typeof NEXT_ACTION] as SubmissionAction | undefined
        const done = action && (await runAction(session, action, [id]))
        // What the station or something typed meanwhile keeps here is looked at here.
        if (done?.changed.includes(id) && action !== 'closeNow') goTo({ screen: 'queue' })
      }),
  }
}
