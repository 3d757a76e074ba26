import { UnstyledButton } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { EYES, type Eye } from '../../src-shared/eye.ts'
import type { Image } from '../../src-shared/submission.ts'
import { formatBytes } from '../format/numbers.ts'
import { Photo } from '../parts/photo.tsx'
import { EYE_WORDS, SOURCE_WORDS } from '../words/field-words.ts'
import { PART_WORDS } from '../words/part-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import { ExcludeControl } from './exclude-control.tsx'
import { imageCardId } from './focus-field.ts'
import css from './images-board.module.css'

/** What each key says about the image under the focus. */
const EYE_KEYS: Readonly<Record<string, Eye>> = { r: 'right', l: 'left', u: 'unknown' }

export type ImageCardProps = {
  readonly image: Image
  readonly isFrozen: boolean
  readonly onOpen: () => void
  readonly onChange: (what: { eye?: Eye; excludedBecause?: string | null }) => void
}

/** One image: look closer, say which eye it is, leave it out. */
export function ImageCard({ image, isFrozen, onOpen, onChange }: ImageCardProps) {
  const name = image.fileName.split('/').at(-1) ?? image.fileName
  const press = (event: KeyboardEvent): void => {
    if (isFrozen || event.ctrlKey || event.metaKey || event.altKey) return
    // Typing a reason is not assigning an eye.
    if (event.target instanceof Element && event.target.matches('input, textarea')) return
    const eye = EYE_KEYS[event.key.toLowerCase()]
    if (eye !== undefined && eye !== image.eye) onChange({ eye })
  }
  return (
    <article
      id={imageCardId(image.id)}
      className={css.card}
      data-excluded={image.excludedBecause !== null}
      aria-label={name}
      onKeyDown={press}
    >
      <UnstyledButton className={css.open} aria-label={SUBMISSION_WORDS.images.open(name)} onClick={onOpen}>
        <Photo
          id={image.id}
          className={css.photo ?? ''}
          alt={PART_WORDS.photo(EYE_WORDS[image.eye].name, name)}
        />
      </UnstyledButton>
      <p className={css.caption}>
        <span className={`${css.file} truncate`} title={image.fileName}>
          {name}
        </span>
        <span className={`${css.source} truncate`}>
          {formatBytes(image.sizeBytes)}
          {image.eyeSource !== null &&
            image.eye !== 'unknown' &&
            ` \u00b7 ${SOURCE_WORDS[image.eyeSource].name}`}
        </span>
        {image.excludedBecause !== null && <span className={css.file}>{image.excludedBecause}</span>}
      </p>
      {!isFrozen && (
        <div className={css.buttons}>
          {image.excludedBecause === null &&
            EYES.map((eye) => (
              <UnstyledButton
                key={eye}
                className={css.eye}
                data-eye={eye}
                aria-pressed={image.eye === eye}
                aria-label={SUBMISSION_WORDS.images.assign(EYE_WORDS[eye].full, name)}
                onClick={() => image.eye !== eye && onChange({ eye })}
              >
                {EYE_WORDS[eye].short}
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
