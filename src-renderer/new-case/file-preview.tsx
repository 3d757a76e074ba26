import { IconPhoto } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../words/t.ts'
import css from './new-case.module.css'

/** The picture in a chosen file, where a browser can draw it; the station draws the others once it has them. */
export function FilePreview({ file, alt }: { readonly file: File; readonly alt: string }) {
  const picture = useRef<HTMLImageElement>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    if (picture.current) picture.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  return (
    <span className={css.preview}>
      {isBroken ? (
        <span className={css.noPreview} role="img" aria-label={`${alt}. ${t('newCase:noPreview')}`}>
          <IconPhoto size={26} stroke={1.5} aria-hidden />
          {t('newCase:noPreview')}
        </span>
      ) : (
        <img ref={picture} alt={alt} draggable={false} onError={() => setBroken(true)} />
      )}
    </span>
  )
}
