import fastapi

api = fastapi.FastAPI()
