import type { Image } from '../../src-shared/submission.ts'
import { EyeMark } from '../parts/eye-mark.tsx'
import { Photo } from '../parts/photo.tsx'
import { useNames } from '../privacy/use-names.ts'
import css from './grouping.module.css'
import { t } from '../words/t.ts'

/** The images that a question is about, to be looked at once more. */
export function ChosenImages({ images }: { readonly images: readonly Image[] }) {
  const names = useNames()
  return (
    <ul role="list" className={css.chosen}>
      {images.map((image) => {
        const path = names.fileName(image.fileName)
        const name = path.split('/').at(-1) ?? path
        return (
          <li key={image.id} className={css.image} title={path}>
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
