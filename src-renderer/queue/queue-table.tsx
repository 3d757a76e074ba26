/** The queue as a table, whose rows keep their places while a person aims at them. */
import { Button, Checkbox } from '@mantine/core'
import { IconArrowBarToUp } from '@tabler/icons-react'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { restsOnProposal } from '../../src-shared/verdict.ts'
import { CaseBadge } from '../components/badges.tsx'
import css from '../components/case-table.module.css'
import { CaseRow, CaseTable } from '../components/case-table.tsx'
import { LinkButton } from '../components/controls.tsx'
import { isSent, Photo } from '../components/photo.tsx'
import { formatExactly, formatInstant } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import type { Route } from '../shell/navigation.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import { actOnRow, actionsFor, type SubmissionAction } from './actions.ts'
import { QueueDetail } from './detail-cell.tsx'

type CenterNames = ReadonlyMap<string, string>

/** Names of centers if a shown case is for another than the current one, else null. Asked once a screen: the service is asked. */
function useCenterNames(): CenterNames | null {
  const isWanted = useStation(
    ({ queue, submissions, status }) =>
      status !== null &&
      queue.ids.some((id) => (submissions[id]?.centerId ?? status.centerId) !== status.centerId),
  )
  const [isNamed, setNamed] = useState(false)
  const { value } = useAnswer('centers.list', isWanted && !isNamed ? {} : null)
  if (value !== null && !isNamed) setNamed(true)
  return useMemo(
    () => (isWanted ? new Map(value?.items.map(({ centerId, name }) => [centerId, name ?? centerId])) : null),
    [isWanted, value],
  )
}

type QueueTableProps = {
  readonly ids: readonly string[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
  readonly onSelectShown: (isSelected: boolean) => void
}

const KEYS: Readonly<Record<string, readonly SubmissionAction[]>> = {
  a: ['approve'],
  r: ['retry'],
  h: ['hold', 'release'],
  Delete: ['discard'],
}

const COLUMNS = ['state', 'patient', 'visit', 'right', 'left', 'detail', 'added', 'actions'] as const

export const QueueTable = memo(function QueueTable(props: QueueTableProps) {
  const { ids, selected, onSelect, onSelectShown } = props
  const session = useSession()
  const centerNames = useCenterNames()
  const shownSelected = ids.filter((id) => selected.has(id)).length

  const press = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const row = event.target.closest<HTMLTableRowElement>('tr[data-id]')
    const id = row?.dataset['id']
    if (!row || id === undefined) return
    if (event.key === ' ' && event.target.matches('a')) {
      event.preventDefault()
      onSelect([id], !selected.has(id))
    } else if (Object.hasOwn(KEYS, event.key)) {
      const submission = session.store.getState().submissions[id]
      const action = submission && KEYS[event.key]?.find((one) => actionsFor(submission).includes(one))
      // The store may be ahead of the row that the person sees.
      const digest = row.dataset['digest'] ?? ''
      if (action) actOnRow(session, action, { ...submission, digest })
    }
  }

  return (
    <CaseTable
      label={t('queue:table')}
      columns={COLUMNS.map((name) => ({
        name,
        title:
          name === 'right' || name === 'left' ? (
            <abbr title={t(`field:eye.${name}.name`)}>{t(`queue:columns.${name}`)}</abbr>
          ) : (
            t(`queue:columns.${name}`)
          ),
      }))}
      selectAll={
        <Checkbox
          aria-label={t('queue:selectAll')}
          checked={shownSelected > 0 && shownSelected === ids.length}
          indeterminate={shownSelected > 0 && shownSelected < ids.length}
          onChange={(event) => onSelectShown(event.currentTarget.checked)}
        />
      }
      onKeyDown={press}
    >
      {ids.map((id) => (
        <QueueRow
          key={id}
          id={id}
          isSelected={selected.has(id)}
          centerNames={centerNames}
          onSelect={onSelect}
        />
      ))}
    </CaseTable>
  )
})

type QueueRowProps = {
  readonly id: string
  readonly isSelected: boolean
  readonly centerNames: CenterNames | null
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
}

/** One case. It subscribes to its own case in the store, so that other changes do not render it again. */
const QueueRow = memo(function QueueRow({ id, isSelected, centerNames, onSelect }: QueueRowProps) {
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

/** A pointer or key at rest for this long is not aiming at a row. */
const AIMING_MS = 4_000

/** The order while a person aims: rows keep their places, new ones are appended. Pure. */
export function stableOrder(current: readonly string[], wanted: readonly string[]): readonly string[] {
  const isWanted = new Set(wanted)
  const isHeld = new Set(current)
  return [...current.filter((id) => isWanted.has(id)), ...wanted.filter((id) => !isHeld.has(id))]
}

/** Keeps rows from moving under the pointer and the keys: neither must hit another patient's button. */
export function useStableOrder(wanted: readonly string[]) {
  const [frozen, setFrozen] = useState<readonly string[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const aimsWith = useRef<'pointer' | 'keys'>('pointer')
  useEffect(() => () => clearTimeout(timer.current), [])
  const freeze = (by: 'pointer' | 'keys'): void => {
    aimsWith.current = by
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setFrozen(null), AIMING_MS)
    setFrozen((before) => before ?? wanted)
  }
  return {
    ids: frozen ? stableOrder(frozen, wanted) : wanted,
    /** For the element whose order is frozen. */
    handlers: {
      onPointerMove: () => freeze('pointer'),
      onKeyDown: () => freeze('keys'),
      onFocus: () => freeze('keys'),
      onPointerLeave() {
        // A person who leaves the mouse and continues by keyboard is still aiming.
        if (aimsWith.current === 'keys') return
        clearTimeout(timer.current)
        setFrozen(null)
      },
    },
  }
}
