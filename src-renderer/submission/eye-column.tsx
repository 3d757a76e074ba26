import { useState, type DragEvent, type ReactNode } from 'react'
import type { Eye } from '../../src-shared/eye.ts'
import { t } from '../words/t.ts'
import { isImageDrag } from './eye-drop.ts'
import css from './images-board.module.css'

export type EyeColumnProps = {
  readonly eye: Eye
  readonly count: number
  /** An image was dropped here; null where nothing may be changed. */
  readonly onDrop: ((event: DragEvent) => void) | null
  readonly children: ReactNode
}

/** The images of one eye, and a place to drop others on. */
export function EyeColumn({ eye, count, onDrop, children }: EyeColumnProps) {
  const [isDragOver, setDragOver] = useState(false)
  const handleDragOver = (event: DragEvent): void => {
    if (onDrop === null || !isImageDrag(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    setDragOver(true)
  }
  const leave = (event: DragEvent): void => {
    const { currentTarget, relatedTarget } = event
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDragOver(false)
  }
  const drop = (event: DragEvent): void => {
    setDragOver(false)
    if (onDrop === null || !isImageDrag(event)) return
    event.preventDefault()
    onDrop(event)
  }
  const isSpare = eye === 'unknown' && count === 0
  return (
    <div
      className={css.column}
      data-eye={eye}
      data-over={isDragOver}
      data-spare={isSpare}
      role="group"
      aria-label={`${t(`field:eye.${eye}.full`)}: ${count}`}
      onDragOver={handleDragOver}
      onDragLeave={leave}
      onDrop={drop}
    >
      <h3 className={css.columnTitle}>
        {isSpare ? t('field:eye.unknown.short') : t(`field:eye.${eye}.full`)}
        <span className="tabular">{count}</span>
      </h3>
      {count === 0 && (
        <p className={css.none}>{isSpare ? t('editor:images.dropHere') : t('submission:images.empty')}</p>
      )}
      {children}
    </div>
  )
}
