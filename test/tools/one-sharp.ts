/** sharp as the station loads it: a second instance of the package would switch on the cache of libvips, which knows files by name. */
// oxlint-disable-next-line import/no-default-export -- as the package has it
export { sharp as default } from '../../src-main/reader/pictures/sharp.ts'
