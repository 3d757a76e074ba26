import type { Image } from '../../src-shared/submission.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { Photo } from '../parts/photo.tsx'
import css from './grouping.module.css'
import { t } from '../words/t.ts'

/** The images that a question is about, to be looked at once more. */
export function ChosenImages({ images }: { readonly images: readonly Image[] }) {
  return (
    <ul role="list" className={css.chosen}>
      {images.map((image) => {
        const name = image.fileName.split('/').at(-1) ?? image.fileName
        return (
          <li key={image.id} className={css.image} title={image.fileName}>
            <Photo
              image={image}
              className={css.photo ?? ''}
              alt={t('part:photo', { eye: t(`field:eye.${image.eye}.name`), fileName: name })}
            />
            <EyeMark eye={image.eye} />
            <span className="truncate">{name}</span>
          </li>
        )
      })}
    </ul>
  )
}
