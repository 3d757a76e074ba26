/** A row of the queue. */
import { Button, Checkbox, Menu } from '@mantine/core'
import { IconArrowBarToUp } from '@tabler/icons-react'
import { memo } from 'react'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { restsOnProposal } from '../../src-shared/verdict.ts'
import { CaseBadge } from '../components/badges.tsx'
import { CaseRow } from '../components/case-table.tsx'
import { LinkButton } from '../components/controls.tsx'
import { isSent, Photo } from '../components/photo.tsx'
import { formatExactly, formatInstant } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import type { Route } from '../shell/navigation.tsx'
import { useSession, useStation } from '../store/use-station.ts'
import { actOnRow, ACTION_ICONS, actionsFor, type ShownCase, type SubmissionAction } from './actions.ts'
import { QueueDetail } from './detail-cell.tsx'
import css from '../components/case-table.module.css'

type QueueRowProps = {
  readonly id: string
  readonly isSelected: boolean
  /** Names of centers by id; null if only one is in use. */
  readonly centerNames: ReadonlyMap<string, string> | null
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
}

/** One case. It subscribes to its own case in the store, so that other changes do not render it again. */
export const QueueRow = memo(function QueueRow({ id, isSelected, centerNames, onSelect }: QueueRowProps) {
  const names = useNames()
  const submission = useStation((state) => state.submissions[id])
  if (!submission) return null
  const { fields, state, addedAt, centerId, digest, reference, unreadable } = submission
  const patient = names.patientLabel(fields)
  return (
    <CaseRow
      data-id={id}
      data-digest={digest}
      data-state={state}
      data-selected={isSelected}
      to={{ screen: 'submission', id }}
      opens={t('queue:look')}
      select={
        <Checkbox
          aria-label={t('queue:select', { who: patient })}
          checked={isSelected}
          onChange={(event) => onSelect([id], event.currentTarget.checked)}
        />
      }
      state={
        <>
          <CaseBadge of={submission} />
          {submission.urgent && state === 'waiting' && (
            <span className={css.urgent}>
              <IconArrowBarToUp size={14} aria-hidden />
              {t('queue:urgent')}
            </span>
          )}
        </>
      }
      number={
        unreadable === undefined
          ? (fields.history_number ?? <span className={css.missing}>{t('queue:noHistoryNumber')}</span>)
          : reference
      }
      name={unreadable === undefined ? (names.nameOf(fields) ?? t('queue:noName')) : t('queue:unreadable')}
      visitDate={fields.visit_date}
      images={{
        right: <Thumbs submission={submission} eye="right" />,
        left: <Thumbs submission={submission} eye="left" />,
      }}
      detail={
        <QueueDetail
          submission={submission}
          centerName={centerNames && centerId && (centerNames.get(centerId) ?? centerId)}
        />
      }
      added={{
        label: t('queue:columns.added'),
        title: formatExactly(addedAt),
        text: formatInstant(addedAt),
      }}
      actions={<RowAction submission={submission} patient={patient} />}
    />
  )
})

function Thumbs({ submission, eye }: { readonly submission: Submission; readonly eye: Eye }) {
  const ofEye = submission.images.filter((image) => image.eye === eye && isSent(image))
  const [first] = ofEye
  return (
    <span className={css.thumbs}>
      <abbr className={css.cellLabel} title={t(`field:eye.${eye}.name`)}>
        {t(`field:eye.${eye}.short`)}
      </abbr>
      {first ? (
        <Photo image={first} className={css.thumb} />
      ) : (
        <span className="small dim">{t('queue:noImages')}</span>
      )}
      {ofEye.length > 1 && (
        <span className={css.thumbMore} title={t('queue:imagesOfEye', { count: ofEye.length })}>
          {`\u00d7${ofEye.length}`}
        </span>
      )}
    </span>
  )
}

type ActionItemsProps = { readonly shown: ShownCase; readonly actions: readonly SubmissionAction[] }

export function ActionItems({ shown, actions }: ActionItemsProps) {
  const session = useSession()
  return actions.map((action) => {
    const Sign = ACTION_ICONS[action]
    return (
      <Menu.Item
        key={action}
        leftSection={<Sign size={16} aria-hidden />}
        onClick={() => actOnRow(session, action, shown)}
      >
        {t(`queue:action.${action}.name`)}
      </Menu.Item>
    )
  })
}

type RowActionProps = { readonly submission: Submission; readonly patient: string }

/** The likeliest next step. All others are on the page of the case, and in the bar for a selection. */
function RowAction({ submission, patient }: RowActionProps) {
  const session = useSession()
  const link = linkFor(submission)
  if (link)
    return (
      <LinkButton
        to={link.to}
        size="sm"
        px={13}
        variant={link.isUrgent ? 'light' : 'default'}
        aria-label={`${link.label}: ${patient}`}
      >
        {link.label}
      </LinkButton>
    )
  const first = actionsFor(submission).find((action) => action !== 'discard')
  if (!first) return null
  const label = t(`queue:action.${first}.name`)
  return (
    <Button
      size="sm"
      px={13}
      variant={first === 'approve' ? 'filled' : 'default'}
      aria-label={`${label}: ${patient}`}
      onClick={() => actOnRow(session, first, submission)}
    >
      {label}
    </Button>
  )
}

const LINK_LABELS = {
  incomplete: 'queue:complete',
  unconfirmed: 'queue:decide',
  refused: 'queue:look',
  sending: 'queue:look',
  sent: 'queue:look',
} as const satisfies Partial<Record<SubmissionState, string>>

type RowLink = { readonly label: string; readonly to: Route; readonly isUrgent: boolean }

/** The link if the next step is a screen: a proposal to check, details, a delivery to decide on, a report. */
function linkFor({ id, state, caseId, hasReport, verdict }: Submission): RowLink | null {
  if (state === 'review' && restsOnProposal(verdict))
    return { label: t('queue:check'), to: { screen: 'submission', id }, isUrgent: true }
  if (state === 'sent' && hasReport && caseId !== null)
    return {
      label: t('queue:openReport'),
      to: { screen: 'reports', caseId, submissionId: id },
      isUrgent: true,
    }
  if (!(state in LINK_LABELS)) return null
  return {
    label: t(LINK_LABELS[state as keyof typeof LINK_LABELS]),
    to: { screen: 'submission', id },
    isUrgent: state !== 'sent' && state !== 'sending',
  }
}
