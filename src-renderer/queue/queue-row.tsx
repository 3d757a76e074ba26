/** A row of the queue. */
import { ActionIcon, Checkbox } from '@mantine/core'
import { IconArrowBarToUp, IconChevronRight } from '@tabler/icons-react'
import { memo, type MouseEvent, Suspense } from 'react'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { StateBadge } from '../components/badges.tsx'
import { Photo } from '../components/photo.tsx'
import { formatCalendarDay, formatExactly, formatInstant, formatShortly } from '../format/dates.ts'
import { formatBytes, formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/patient-names.tsx'
import { lazyScreen } from '../shell/load-screen.ts'
import { goTo, writeRoute } from '../shell/navigation.tsx'
import { shownStateOf } from '../store/queue-view.ts'
import { useStation } from '../store/use-station.ts'
import { DetailCell, sentBytesOf, sentImagesOf } from './detail-cell.tsx'
import css from './queue-table.module.css'
import { RowActions } from './row-actions.tsx'

const ExpandedRow = lazyScreen(async () => (await import('./expanded-row.tsx')).ExpandedRow)

export type QueueRowProps = {
  readonly id: string
  readonly isSelected: boolean
  readonly isExpanded: boolean
  readonly columnCount: number
  /** Do size and attempts, and the center if there are several, have columns of their own? */
  readonly isWide: boolean
  /** Names of centers by id; null if only one is in use. */
  readonly centerNames: ReadonlyMap<string, string> | null
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
  readonly onExpand: (id: string, isExpanded: boolean) => void
}

/** One case. It subscribes to its own case in the store, so that other changes do not render it again. */
export const QueueRow = memo(function QueueRow(props: QueueRowProps) {
  const { id, isSelected, isExpanded, columnCount, isWide, centerNames, onSelect, onExpand } = props
  const names = useNames()
  const submission = useStation((state) => state.submissions[id])
  if (!submission) return null
  const { fields, images, state, addedAt, attempts, centerId } = submission
  const patient = names.patientLabel(fields)
  const name = names.nameOf(fields)
  const center = centerNames && (centerId === null ? null : (centerNames.get(centerId) ?? centerId))
  const detailsId = `row-details-${id}`
  const open = (event: MouseEvent<HTMLTableRowElement>): void => {
    // A click outside the controls opens the case, as people expect of a row.
    if (event.target instanceof Element && !event.target.closest('a, button, input, label'))
      goTo({ screen: 'submission', id })
  }
  return (
    <>
      <tr
        role="row"
        className={css.row}
        data-id={id}
        data-state={state}
        data-selected={isSelected}
        data-expanded={isExpanded}
        onClick={open}
      >
        <td role="cell" className={css.selectColumn}>
          <span className={css.selectCell}>
            <Checkbox
              aria-label={t('queue:select', { who: patient })}
              checked={isSelected}
              onChange={(event) => onSelect([id], event.currentTarget.checked)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={t('queue:expand', { who: patient })}
              aria-expanded={isExpanded}
              aria-controls={isExpanded ? detailsId : undefined}
              onClick={() => onExpand(id, !isExpanded)}
            >
              <IconChevronRight size={17} className={css.chevron} aria-hidden />
            </ActionIcon>
          </span>
        </td>
        <td role="cell" className={css.stateCell}>
          <StateCell submission={submission} />
        </td>
        <td role="cell" className={css.patientCell}>
          <a href={writeRoute({ screen: 'submission', id })} className={css.patient} data-row-link>
            <span className={css.hidden}>{t('queue:look')} </span>
            <span className={`${css.number} truncate`}>
              {submission.unreadable === undefined
                ? (fields.history_number ?? <span className={css.missing}>{t('queue:noHistoryNumber')}</span>)
                : submission.reference}
            </span>{' '}
            <span className={`${css.name} truncate`}>
              {submission.unreadable === undefined ? (name ?? t('queue:noName')) : t('queue:unreadable')}
            </span>
          </a>
        </td>
        <td role="cell" className={`${css.visitCell} tabular`}>
          <span className={css.cellLabel}>{t('queue:columns.visit')} </span>
          {fields.visit_date ? (
            formatCalendarDay(fields.visit_date)
          ) : (
            <span className="dim">{t('queue:noDate')}</span>
          )}
        </td>
        <td role="cell" className={css.rightCell}>
          <Thumbs submission={submission} eye="right" />
        </td>
        <td role="cell" className={css.leftCell}>
          <Thumbs submission={submission} eye="left" />
        </td>
        <td role="cell" className={css.detailCell}>
          <DetailCell submission={submission} isWide={isWide} centerName={center} />
        </td>
        {isWide && (
          <>
            <td role="cell" className="tabular">
              {formatBytes(sentBytesOf(images))}
            </td>
            <td role="cell" className="tabular">
              {attempts === 0 ? <span className="dim">{'\u2013'}</span> : formatCount(attempts)}
            </td>
          </>
        )}
        {isWide && centerNames && (
          <td role="cell">
            <span className={css.center} title={center ?? undefined}>
              {center ?? '\u2013'}
            </span>
          </td>
        )}
        <td role="cell" className={`${css.addedCell} tabular`} title={formatExactly(addedAt)}>
          <span className={css.cellLabel}>{t('queue:columns.added')} </span>
          <span className={css.shortly}>{formatShortly(addedAt)}</span>
          <span className={css.fully}>{formatInstant(addedAt)}</span>
        </td>
        <td role="cell" className={css.actionsCell}>
          <RowActions submission={submission} patient={patient} />
        </td>
      </tr>
      {isExpanded && (
        <tr role="row" className={css.detailsRow}>
          <td role="cell" colSpan={columnCount} id={detailsId}>
            <Suspense fallback={<div className={css.detailsLoading} />}>
              <ExpandedRow submission={submission} centerName={center} />
            </Suspense>
          </td>
        </tr>
      )}
    </>
  )
})

function StateCell({ submission }: { readonly submission: Submission }) {
  return (
    <span className={css.state}>
      <StateBadge state={shownStateOf(submission)} />
      {submission.urgent && submission.state === 'waiting' && (
        <span className={css.urgent}>
          <IconArrowBarToUp size={14} aria-hidden />
          {t('queue:urgent')}
        </span>
      )}
    </span>
  )
}

function Thumbs({ submission, eye }: { readonly submission: Submission; readonly eye: Eye }) {
  const names = useNames()
  const ofEye = sentImagesOf(submission.images).filter((image) => image.eye === eye)
  const [first] = ofEye
  return (
    <span className={css.thumbs}>
      <abbr className={css.cellLabel} title={t(`field:eye.${eye}.name`)}>
        {t(`field:eye.${eye}.short`)}
      </abbr>
      {first ? (
        <Photo
          image={first}
          className={css.thumb ?? ''}
          alt={t('part:photo', { eye: t(`field:eye.${eye}.name`), fileName: names.fileName(first.fileName) })}
        />
      ) : (
        <span className={css.none}>{t('queue:noImages')}</span>
      )}
      {ofEye.length > 1 && (
        <span className={css.thumbMore} title={t('queue:imagesOfEye', { count: ofEye.length })}>
          {`\u00d7${ofEye.length}`}
        </span>
      )}
    </span>
  )
}
