import { UnstyledButton } from '@mantine/core'
import type { Image } from '../../src-shared/submission.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { Photo } from '../parts/photo.tsx'
import { useNames, type Names } from '../privacy/use-names.ts'
import { t } from '../words/t.ts'
import css from './filmstrip.module.css'
import { nameOf } from './picture-pane.tsx'

export type FilmstripProps = {
  readonly images: readonly Image[]
  /** Those that are shown large. */
  readonly shownIds: readonly string[]
  readonly onShow: (id: string) => void
}

/** All images of the case, the right eye first. */
export function Filmstrip({ images, shownIds, onShow }: FilmstripProps) {
  const names = useNames()
  return (
    <div className={css.strip} role="group" aria-label={t('viewer:images')}>
      {images.map((image) => (
        <UnstyledButton
          key={image.id}
          className={css.frame}
          data-excluded={image.excludedBecause !== null}
          aria-label={t('viewer:shown', { what: labelOf(image, names) })}
          aria-pressed={shownIds.includes(image.id)}
          title={labelOf(image, names)}
          onClick={() => onShow(image.id)}
        >
          <Photo image={image} className={css.photo ?? ''} alt={labelOf(image, names)} />
          <EyeMark eye={image.eye} />
        </UnstyledButton>
      ))}
    </div>
  )
}

function labelOf(image: Image, names: Names): string {
  const name = `${t(`field:eye.${image.eye}.short`)} ${nameOf(image, names)}`
  return image.excludedBecause === null ? name : `${name}, ${t('viewer:leftOut')}`
}
