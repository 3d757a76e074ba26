import { Checkbox, UnstyledButton } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { EYES, type Eye } from '../../src-shared/eye.ts'
import { Photo } from '../parts/photo.tsx'
import { useNames } from '../privacy/use-names.ts'
import type { BoardImage } from './board-images.ts'
import { startImageDrag } from './eye-drop.ts'
import { ExcludeControl } from './exclude-control.tsx'
import { imageCardId } from './focus-field.ts'
import { ImageFacts } from './image-facts.tsx'
import css from './images-board.module.css'
import { openLabel } from './open-label.ts'
import { t } from '../words/t.ts'

/** What each key says about the image under the focus. */
const EYE_KEYS: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', u: 'unknown' }

export type ImageCardProps = {
  readonly shown: BoardImage
  readonly isFrozen: boolean
  readonly isSelected: boolean
  readonly onOpen: () => void
  readonly onSelect: (isSelected: boolean) => void
  readonly onChange: (changes: { eye?: Eye; excludedBecause?: string | null }) => void
}

/** One image: look closer, say which eye it is, leave it out, choose it for another case. */
export function ImageCard({ shown, isFrozen, isSelected, onOpen, onSelect, onChange }: ImageCardProps) {
  const { image, twins } = shown
  const name = useNames().fileName(image.fileName.split('/').at(-1) ?? image.fileName)
  const press = (event: KeyboardEvent): void => {
    if (isFrozen || event.ctrlKey || event.metaKey || event.altKey) return
    // Typing a reason is not assigning an eye.
    if (event.target instanceof Element && event.target.matches('input:not([type="checkbox"]), textarea'))
      return
    const eye = EYE_KEYS[event.key.toLowerCase()]
    if (eye !== undefined && eye !== image.eye) onChange({ eye })
  }
  return (
    <article
      id={imageCardId(image.id)}
      className={css.card}
      data-excluded={image.excludedBecause !== null}
      data-selected={isSelected}
      aria-label={name}
      draggable={!isFrozen && image.excludedBecause === null}
      onDragStart={(event) => startImageDrag(event, image.id)}
      onKeyDown={press}
    >
      <UnstyledButton className={css.open} aria-label={openLabel(image, name)} onClick={onOpen}>
        <Photo
          image={image}
          className={css.photo ?? ''}
          alt={t('part:photo', { eye: t(`field:eye.${image.eye}.name`), fileName: name })}
        />
      </UnstyledButton>
      <div className={css.captionLine}>
        <ImageFacts image={image} name={name} twins={twins} />
        {!isFrozen && (
          <Checkbox
            className={css.select}
            aria-label={t('submission:grouping.select', { what: name })}
            checked={isSelected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        )}
      </div>
      {!isFrozen && (
        <div className={css.buttons}>
          {image.excludedBecause === null &&
            EYES.map((eye) => (
              <UnstyledButton
                key={eye}
                className={css.eye}
                data-eye={eye}
                aria-pressed={image.eye === eye}
                aria-label={t('submission:images.assign', { eye: t(`field:eye.${eye}.full`), what: name })}
                onClick={() => image.eye !== eye && onChange({ eye })}
              >
                {t(`field:eye.${eye}.short`)}
              </UnstyledButton>
            ))}
          <ExcludeControl
            name={name}
            reason={image.excludedBecause}
            onChange={(excludedBecause) => onChange({ excludedBecause })}
          />
        </div>
      )}
    </article>
  )
}
