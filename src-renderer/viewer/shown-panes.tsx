import { IconHistoryOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Fields } from '../../src-shared/fields.ts'
import type { Image } from '../../src-shared/submission.ts'
import { formatCalendarDay } from '../format/instants.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { t } from '../words/t.ts'
import { filterOf } from './adjustment-filter.tsx'
import { imageOfEye, isOtherName, type Visit } from './earlier-visit.ts'
import { Placeholder, PicturePane } from './picture-pane.tsx'
import type { ReadEarlier } from './read-earlier.ts'
import { useEarlier } from './use-earlier.ts'
import type { ViewerView } from './use-view.ts'
import css from './viewer-dialog.module.css'

export type ShownPanesProps = {
  readonly submission: Visit
  readonly image: Image
  readonly view: ViewerView
}

/** One image, or two side by side: OD left of OS, an earlier visit left of this one. */
export function ShownPanes({ submission, image, view }: ShownPanesProps) {
  const { layout, shown, activeId, linked, activate } = view
  const isEarlierWanted = layout.kind === 'earlier'
  const earlier = useEarlier(submission, isEarlierWanted)
  const pane = (one: Image, visit: string, caution: string | null): ReactNode => (
    <PicturePane
      key={one.id}
      image={one}
      visit={visit}
      caution={caution}
      filter={filterOf(view.adjustments)}
      isActive={layout.kind !== 'one' && activeId === one.id}
      onActive={() => activate(one.id)}
      onPane={linked.add}
    />
  )
  const before = isEarlierWanted ? earlierPaneOf(earlier, submission, image) : null
  return (
    <div className={css.panes}>
      {before?.kind === 'image' && pane(before.image, before.visit, before.caution)}
      {before?.kind === 'words' && (
        <div key="words" className={css.empty}>
          {before.content}
        </div>
      )}
      {shown.map((one) => pane(one, visitLabel('this', submission.fields), null))}
    </div>
  )
}

type EarlierPane =
  | {
      readonly kind: 'image'
      readonly image: Image
      readonly visit: string
      readonly caution: string | null
    }
  | { readonly kind: 'words'; readonly content: ReactNode }

function earlierPaneOf(earlier: ReadEarlier | null, current: Visit, { eye }: Image): EarlierPane {
  if (earlier === null) return { kind: 'words', content: <p>{t('viewer:noEarlier.reading')}</p> }
  if (earlier.kind === 'failed')
    return { kind: 'words', content: <FailureNotice failure={earlier.failure} /> }
  const number = current.fields.history_number ?? ''
  if (earlier.kind !== 'found') return noEarlierPane(earlier.kind, { number })
  const { fields, images } = earlier.visit
  const image = imageOfEye(images, eye)
  if (image === null)
    return noEarlierPane(eye === 'unknown' ? 'eyeUnknown' : 'noImage', { day: dayOf(fields) })
  const isSame = !isOtherName(fields, current.fields)
  return {
    kind: 'image',
    image,
    visit: visitLabel('earlier', fields),
    caution: isSame ? null : t('viewer:noEarlier.otherName'),
  }
}

function noEarlierPane(
  why: 'none' | 'noHistoryNumber' | 'noVisitDate' | 'eyeUnknown' | 'noImage',
  { number = '', day = '' }: { readonly number?: string; readonly day?: string },
): EarlierPane {
  const content = (
    <Placeholder icon={<IconHistoryOff size={34} aria-hidden />} title={t(`viewer:noEarlier.${why}.title`)}>
      {t(`viewer:noEarlier.${why}.message`, { number, day })}
    </Placeholder>
  )
  return { kind: 'words', content }
}

function visitLabel(which: 'this' | 'earlier', fields: Fields): string {
  return `${t(`viewer:visit.${which}`)}, ${dayOf(fields)}`
}

function dayOf({ visit_date }: Fields): string {
  return visit_date ? formatCalendarDay(visit_date) : t('viewer:visit.noDate')
}
