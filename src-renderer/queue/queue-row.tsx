import { Checkbox } from '@mantine/core'
import { IconArrowBarToUp } from '@tabler/icons-react'
import { memo, type MouseEvent } from 'react'
import type { Eye } from '../../src-shared/eye.ts'
import type { Image } from '../../src-shared/submission.ts'
import { formatCalendarDay, formatExactly, formatShortly } from '../format/instants.ts'
import { Photo } from '../parts/photo.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { goTo, writeRoute } from '../shell/routes.ts'
import { shownStateOf } from '../store/shown-state.ts'
import { useStation } from '../store/use-station.ts'
import { useNames } from '../privacy/use-names.ts'
import { DetailCell } from './detail-cell.tsx'
import css from './queue-table.module.css'
import { RowActions } from './row-actions.tsx'
import { t } from '../words/t.ts'

export type QueueRowProps = {
  readonly id: string
  readonly isSelected: boolean
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
}

/** One submission. It follows its own submission in the store, so that another one's change does not draw it. */
export const QueueRow = memo(function QueueRow({ id, isSelected, onSelect }: QueueRowProps) {
  const names = useNames()
  const submission = useStation((state) => state.submissions[id])
  if (!submission) return null
  const { fields, images, urgent, state, addedAt } = submission
  const who = names.whoIs(fields)
  const name = names.nameOf(fields)
  const href = writeRoute({ screen: 'submission', id })
  const open = (event: MouseEvent<HTMLTableRowElement>): void => {
    // A click beside the controls opens the case, as people expect of a row.
    if (event.target instanceof Element && !event.target.closest('a, button, input, label'))
      goTo({ screen: 'submission', id })
  }
  return (
    <tr className={css.row} data-id={id} data-state={state} data-selected={isSelected} onClick={open}>
      <td className={css.selectColumn}>
        <Checkbox
          aria-label={t('queue:select', { who })}
          checked={isSelected}
          onChange={(event) => onSelect([id], event.currentTarget.checked)}
        />
      </td>
      <td>
        <span className={css.state}>
          <StateBadge state={shownStateOf(submission)} />
          {urgent && state === 'waiting' && (
            <span className={css.urgent}>
              <IconArrowBarToUp size={14} aria-hidden />
              {t('queue:urgent')}
            </span>
          )}
        </span>
      </td>
      <td>
        <a href={href} className={css.patient} data-row-link>
          <span className={css.hidden}>{t('queue:look')} </span>
          <span className={`${css.number} truncate`}>
            {fields.history_number ?? <span className={css.missing}>{t('queue:noHistoryNumber')}</span>}
          </span>{' '}
          <span className={`${css.name} truncate`}>{name ?? t('queue:noName')}</span>
        </a>
      </td>
      <td className="tabular">
        {fields.visit_date ? (
          formatCalendarDay(fields.visit_date)
        ) : (
          <span className="dim">{t('queue:noDate')}</span>
        )}
      </td>
      <td>
        <Thumbs images={images} eye="right" />
      </td>
      <td>
        <Thumbs images={images} eye="left" />
      </td>
      <td>
        <DetailCell submission={submission} />
      </td>
      <td className={`${css.addedColumn} tabular`} title={formatExactly(addedAt)}>
        {formatShortly(addedAt)}
      </td>
      <td>
        <RowActions submission={submission} who={who} />
      </td>
    </tr>
  )
})

function Thumbs({ images, eye }: { readonly images: readonly Image[]; readonly eye: Eye }) {
  const ofEye = images.filter(
    (image) => image.eye === eye && image.excludedBecause === null && image.twinOf === null,
  )
  const [first] = ofEye
  if (!first) return <span className={css.none}>{t('queue:noImages')}</span>
  return (
    <span className={css.thumbs}>
      <Photo
        image={first}
        className={css.thumb ?? ''}
        alt={t('part:photo', { eye: t(`field:eye.${eye}.name`), fileName: first.fileName })}
      />
      {ofEye.length > 1 && (
        <span className={css.thumbMore} title={t('queue:imagesOfEye', { count: ofEye.length })}>
          {`\u00d7${ofEye.length}`}
        </span>
      )}
    </span>
  )
}
