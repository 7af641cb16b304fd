import { wireSecond } from '../common/validation/date-time.js';
import type { PublicUserFileOut, UserFileOut } from './dto/files.dto.js';

/** The stored fields of any file that a user uploaded. */
export interface UserFile {
  readonly filename: string;
  readonly hash: string;
  readonly size: number;
  readonly mime: string;
  readonly originalFilename: string;
  readonly userid: string;
  readonly userName: string;
  readonly created: Date;
}

/** @param path absolute download URL */
export const toPublicUserFileOut = (file: UserFile, path: string): PublicUserFileOut => ({
  name: file.filename,
  path,
  hash: file.hash,
  size: file.size,
  mime: file.mime,
});

/** @param path absolute download URL */
export const toUserFileOut = (file: UserFile, path: string): UserFileOut => ({
  ...toPublicUserFileOut(file, path),
  originalFilename: file.originalFilename,
  userid: file.userid,
  userName: file.userName,
  created: wireSecond(file.created),
});
