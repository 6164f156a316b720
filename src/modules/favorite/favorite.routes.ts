import { route } from '#platform/server/http/route.ts';
import { favoriteApi } from './favorite.contract.ts';
import { addFavorite, getFavorite, moveFavorites, removeFavorites } from './favorite.ts';
import { folderApi } from './folder.contract.ts';
import {
  createFolder,
  getFolder,
  listFolders,
  moveFavoriteToPosition,
  removeFolders,
  reorderFolders,
  updateFolder,
} from './folder.ts';
import { listFavorites } from './list-favorites.ts';

export const favoriteRoutes = [
  route(favoriteApi.create, addFavorite),
  route(favoriteApi.get, getFavorite),
  route(favoriteApi.list, listFavorites),
  route(favoriteApi.update, moveFavorites),
  route(favoriteApi.arrange, moveFavoriteToPosition),
  route(favoriteApi.remove, removeFavorites),
  route(folderApi.create, createFolder),
  route(folderApi.get, getFolder),
  route(folderApi.list, listFolders),
  route(folderApi.update, updateFolder),
  route(folderApi.arrange, reorderFolders),
  route(folderApi.remove, removeFolders),
];
