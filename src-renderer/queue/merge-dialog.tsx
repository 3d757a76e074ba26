import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { failureOf, type Failure } from '../../src-shared/failure.ts'
import type { Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { formatCalendarDay } from '../format/instants.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { shownStateOf } from '../store/shown-state.ts'
import { hasDraft } from '../submission/drafts.ts'
import { upsertSubmission } from '../store/station-session.ts'
import { useSession } from '../store/use-station.ts'
import { currentSignature } from '../who/initials.ts'
import { useNames } from '../privacy/use-names.ts'
import css from './merge-dialog.module.css'
import { mergeCautions, mergeOrder, mergeObstacle } from './merge-question.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

export type MergeDialogProps = {
  readonly submissions: readonly Submission[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMerged: (merged: SubmissionDetails) => void
}

/** Names every patient and day before cases are joined, and says what makes them unlike. */
export function MergeDialog({ submissions, isOpen, onClose, onMerged }: MergeDialogProps) {
  const session = useSession()
  const names = useNames()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const ordered = mergeOrder(submissions)
  const [first] = ordered
  const obstacle = mergeObstacle(ordered)
  const cautions = mergeCautions(ordered)
  const close = (): void => {
    setFailure(null)
    onClose()
  }
  const merge = async (): Promise<void> => {
    // It would stay behind in a case that is no more.
    const unsaved = ordered.find(({ id }) => hasDraft(id))
    if (unsaved)
      return setFailure(
        failureOf('notAllowed', {
          message: t('queue:merge.unsaved', { who: names.patientLabel(unsaved.fields) }),
        }),
      )
    setBusy(true)
    const answer = await session.call('submissions.merge', {
      ids: ordered.map(({ id }) => id),
      ...currentSignature(),
    })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    upsertSubmission(session, answer.value)
    setFailure(null)
    onMerged(answer.value)
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="lg"
      title={t('queue:merge.title', { count: ordered.length })}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        <ol role="list" className={css.cases}>
          {ordered.map((one) => (
            <li key={one.id} className={css.case}>
              <span className={css.who}>
                <strong className="truncate">
                  {one.fields.history_number ?? t('queue:noHistoryNumber')}
                </strong>
                <span className="truncate">{names.nameOf(one.fields) ?? t('queue:noName')}</span>
              </span>
              <span className="tabular">
                {one.fields.visit_date ? formatCalendarDay(one.fields.visit_date) : t('queue:noDate')}
              </span>
              <span className="tabular dim">{t('queue:merge.images', { count: one.images.length })}</span>
              <StateBadge state={shownStateOf(one)} />
            </li>
          ))}
        </ol>
        {cautions.map((caution) => (
          <p key={caution} className={css.caution}>
            <IconAlertTriangle size={17} aria-hidden />
            {t(`queue:merge.cautions.${caution}`)}
          </p>
        ))}
        {obstacle === null ? (
          <Text>
            {first && t('queue:merge.explain', { reference: first.reference })} {t('queue:merge.looksAgain')}
          </Text>
        ) : (
          <Text>{t(`queue:merge.obstacles.${obstacle}`)}</Text>
        )}
        {failure && (
          <p className={css.trouble} role="alert">
            {said(failure.message)}
          </p>
        )}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button disabled={obstacle !== null} loading={isBusy} onClick={() => void merge()}>
            {t('queue:merge.action')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
