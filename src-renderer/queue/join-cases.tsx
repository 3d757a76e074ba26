/** Joining two cases: what to check before, and the dialog. */
import { Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import type { Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { CaseBadge } from '../components/badges.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { upsertSubmission } from '../store/store.ts'
import { useCall, useSession } from '../store/use-station.ts'
import { hasDraft } from '../submission/drafts.ts'
import css from './join-cases.module.css'

const CAUTIONS = {
  numbers: ['history_number'],
  names: ['last_name', 'first_name'],
  days: ['visit_date'],
} as const

type MergeCaution = keyof typeof CAUTIONS

/** The facts in which the cases differ. A missing fact is not a difference. */
export function mergeCautions(submissions: readonly Pick<Submission, 'fields'>[]): readonly MergeCaution[] {
  const isSeveral = (name: (typeof CAUTIONS)[MergeCaution][number]): boolean =>
    new Set(submissions.flatMap(({ fields }) => fields[name]?.trim().toLowerCase() || [])).size > 1
  return (Object.keys(CAUTIONS) as MergeCaution[]).filter((caution) => CAUTIONS[caution].some(isSeveral))
}

/** What distinguishes a case in a list: number, name and the day of the visit. */
export function PatientAndDay({ fields }: Pick<Submission, 'fields'>) {
  const names = useNames()
  return (
    <>
      <span className={css.who}>
        <strong className="truncate">{fields.history_number ?? t('queue:noHistoryNumber')}</strong>
        <span className="truncate">{names.nameOf(fields) ?? t('queue:noName')}</span>
      </span>
      <span className="tabular">
        {fields.visit_date ? formatCalendarDay(fields.visit_date) : t('field:notKnown')}
      </span>
    </>
  )
}

type MergeDialogProps = {
  readonly submissions: readonly Submission[]
  readonly onClose: () => void
  readonly onMerged: (merged: SubmissionDetails) => void
}

/** Names every patient and day before cases are merged, and how they differ. */
export function MergeDialog({ submissions, onClose, onMerged }: MergeDialogProps) {
  const session = useSession()
  const names = useNames()
  const { isBusy, failure, setFailure, call } = useCall()
  // The oldest keeps its reference, and the others become part of it.
  const ordered = submissions.toSorted((one, other) => one.addedAt - other.addedAt)
  const [first] = ordered
  const cautions = mergeCautions(ordered)
  const merge = async (): Promise<void> => {
    // The draft would be lost with its case.
    const unsaved = ordered.find(({ id }) => hasDraft(id))
    if (unsaved)
      return setFailure({
        kind: 'notAllowed',
        message: t('queue:merge.unsaved', { who: names.patientLabel(unsaved.fields) }),
      })
    const merged = await call('submissions.merge', {
      ids: ordered.map(({ id }) => id),
      seen: Object.fromEntries(ordered.map(({ id, digest }) => [id, digest])),
      ...currentSignature(),
    })
    if (!merged) return
    upsertSubmission(session, merged)
    onMerged(merged)
  }
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('queue:merge.title', { count: ordered.length })}>
      <Stack>
        <ol role="list" className={css.cases}>
          {ordered.map((one) => (
            <li key={one.id} className={css.case}>
              <PatientAndDay fields={one.fields} />
              <span className="tabular dim">{t('queue:images', { count: one.images.length })}</span>
              <CaseBadge of={one} />
            </li>
          ))}
        </ol>
        {cautions.map((caution) => (
          <p key={caution} className={css.caution}>
            <IconAlertTriangle size={17} aria-hidden />
            {t(`queue:merge.cautions.${caution}`)}
          </p>
        ))}
        <Text>
          {first && t('queue:merge.explain', { reference: first.reference })} {t('queue:merge.looksAgain')}
        </Text>
        {failure && (
          <p className="red" role="alert">
            {messageOf(failure)}
          </p>
        )}
        <DialogButtons onCancel={onClose} loading={isBusy} onClick={() => void merge()}>
          {t('queue:merge.name')}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
