/** Questions about a number: whose it is, if two people have it, and whether a second one is a patient's. */
import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserQuestion } from '@tabler/icons-react'
import type { Submission } from '../../src-shared/submission.ts'
import { SmallButton } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { goTo } from '../shell/navigation.tsx'
import { runCall, showFailure, showToast } from '../shell/toast.tsx'
import { upsertSubmission } from '../store/store.ts'
import { useCall, useSession } from '../store/use-station.ts'
import { ComparedCase, Earlier } from './before-sending.tsx'
import earlierCss from './earlier-panel.module.css'
import { elementId, focusOn, KNOWN_ID, useCase, WHOSE_ID } from './form.ts'
import { SamePatient } from './patients-question.tsx'
import css from './patients-question.module.css'

/** Not known yet: the question stays with both cases. */
function leaveOpen(): void {
  showToast({ message: t('proof:whose.unknownDone') })
  goTo({ screen: 'queue' })
}

type WhoseNumberProps = {
  readonly number: string
  /** Of the cases of the other people. */
  readonly references: readonly string[]
}

/** Two people have one number: their cases side by side, and a button for each whose number it may be. */
export function WhoseNumber({ number, references }: WhoseNumberProps) {
  const session = useSession()
  const { details, isFrozen, asShown, take } = useCase()
  const names = useNames()
  const { isBusy, call } = useCall(showFailure)
  const [isAsked, dialog] = useDisclosure(false)
  if (isFrozen) return null
  const assign = async (isThis: boolean): Promise<void> => {
    const assigned = await call('submissions.assignNumber', { ...asShown(), number, isThis })
    if (!assigned) return
    for (const one of assigned.cases) upsertSubmission(session, one)
    const own = assigned.cases.find(({ id }) => id === details.id)
    if (own) take(own)
    focusOn(isThis ? KNOWN_ID : elementId('field', 'history_number'))
  }
  const choice = ({ fields, reference }: Pick<Submission, 'fields' | 'reference'>, isThis: boolean) => (
    <Button variant="default" disabled={isBusy} onClick={() => void assign(isThis)}>
      {t('proof:whose.is', { number, who: names.nameOf(fields) ?? reference })}
    </Button>
  )
  return (
    <section className={css.panel} aria-labelledby={WHOSE_ID}>
      <h2 id={WHOSE_ID} className={css.title} tabIndex={-1}>
        <IconUserQuestion size={18} aria-hidden />
        {t('proof:whose.title', { number })}
      </h2>
      <p className={css.explain}>{t('proof:whose.explain')}</p>
      <div className={earlierCss.cases}>
        <ComparedCase label={t('proof:whose.own')} submission={details}>
          {choice(details, true)}
        </ComparedCase>
        {references.map((reference) => (
          <Earlier
            key={reference}
            label={t('proof:whose.other')}
            reference={reference}
            link={t('proof:whose.open')}
            renderAnswer={(other) => choice(other, false)}
          />
        ))}
      </div>
      <Group gap={8} mt={12}>
        <Button variant="subtle" onClick={leaveOpen}>
          {t('proof:whose.unknown')}
        </Button>
        <Button variant="subtle" onClick={dialog.open}>
          {t('proof:patients.same')}
        </Button>
      </Group>
      <Dialog opened={isAsked} onClose={dialog.close} title={t('proof:whose.sameTitle')}>
        <SamePatient onClose={dialog.close} />
      </Dialog>
    </section>
  )
}

/** A second number beside the patient's: only a person knows what it counts. */
export function NumberQuestion({ number }: { readonly number: string }) {
  const session = useSession()
  const { details, take } = useCase()
  const answer = async (isPatientNumber: boolean): Promise<void> => {
    const input = { id: details.id, number, isPatientNumber, ...currentSignature() }
    const changed = await runCall(session, 'submissions.answerNumber', input)
    if (!changed) return
    showToast({ message: t(isPatientNumber ? 'proof:number.isOne' : 'proof:number.isNone', { number }) })
    focusOn(KNOWN_ID)
    take(changed)
  }
  return (
    <div className={css.number} role="group" aria-labelledby="number-question">
      <p id="number-question">
        <strong>{t('proof:number.title', { number })}</strong> {t('proof:number.explain')}
      </p>
      <SmallButton onClick={() => void answer(true)}>{t('proof:number.yes')}</SmallButton>
      <SmallButton onClick={() => void answer(false)}>{t('proof:number.no')}</SmallButton>
    </div>
  )
}
