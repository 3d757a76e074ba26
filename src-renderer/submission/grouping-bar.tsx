import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Image, SubmissionDetails } from '../../src-shared/submission.ts'
import type { BoardImage } from './board-images.ts'
import css from './images-board.module.css'
import { MoveDialog } from './move-dialog.tsx'
import { SplitDialog } from './split-dialog.tsx'
import { t } from '../words/t.ts'

export type GroupingBarProps = {
  readonly details: SubmissionDetails
  readonly shown: readonly BoardImage[]
  readonly chosen: readonly Image[]
  /** What stands here while nothing is chosen. */
  readonly hint: string
  /** The case as it is afterwards; null where it has to be read anew. */
  readonly onChanged: (details: SubmissionDetails | null) => void
}

/** What can be done with the images that are chosen. Always as high, so that nothing jumps when one is chosen. */
export function GroupingBar({ details, shown, chosen, hint, onChanged }: GroupingBarProps) {
  const [asked, setAsked] = useState<'split' | 'move' | null>(null)
  const isAll = chosen.length === shown.length
  if (chosen.length === 0) return <span className={css.hint}>{hint}</span>
  const common = { details, chosen, onClose: () => setAsked(null), onChanged }
  return (
    <div
      className={css.grouping}
      role="toolbar"
      aria-label={t('submission:grouping.chosen', { count: chosen.length })}
    >
      <Button
        size="compact-sm"
        variant="default"
        disabled={isAll}
        title={isAll ? t('submission:grouping.splitAll') : undefined}
        onClick={() => setAsked('split')}
      >
        {t('submission:grouping.split', { count: chosen.length })}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAsked('move')}>
        {t('submission:grouping.move')}
      </Button>
      <SplitDialog {...common} isOpen={asked === 'split'} />
      <MoveDialog {...common} isOpen={asked === 'move'} isEmptied={isAll} />
    </div>
  )
}
